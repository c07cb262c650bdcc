package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.call.Calls;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The operations of one stream of a session that have no final answer: it sends them to the locks,
 * again while they are not answered, and translates the answers. Belongs to one {@link
 * SessionCore}.
 */
final class SessionWork {

  /**
   * The way of answers.
   *
   * @param from where locks answer
   * @param to takes each answer for the client
   */
  record Answers(ActorRef<LockAnswer> from, Consumer<Answer.Builder> to) {}

  private final SessionPort port;
  private final AnswerWriter writer;
  private final ShardMap shards;
  private final SessionStreamSettings bounds;
  private final SessionOperations session;
  private final SessionOutbox out;
  private final Answers answers;
  private final Map<Long, OpenOperation> open = new LinkedHashMap<>();
  private final Map<LockKey, List<LockMessage.Handle>> untold = new LinkedHashMap<>();
  private long lowestOpen = 1;
  private int waiting;
  private int countedOpen;
  private int countedUnderWay;
  private final DelayedOperations later = new DelayedOperations();
  private final ExpectedReads reads = new ExpectedReads();
  private final AnswerRoom room;
  private long seen;

  /**
   * Nothing to do yet.
   *
   * @param out what the client has been told of owners
   */
  SessionWork(
      SessionPort port,
      AnswerWriter writer,
      ShardMap shards,
      SessionStreamSettings bounds,
      SessionOperations session,
      SessionOutbox out,
      Answers answers) {
    this.port = port;
    this.writer = writer;
    this.shards = shards;
    this.bounds = bounds;
    this.session = session;
    this.out = out;
    this.answers = answers;
    room = new AnswerRoom(port, out, reads, later);
  }

  SessionOperations session() {
    return session;
  }

  /** Every operation with a smaller number has got its final answer. */
  void lowestOpen(long number) {
    lowestOpen = Math.max(lowestOpen, number);
  }

  /**
   * Begins the operations of a frame, or refuses them. What the node, or the client's reading, has
   * no room for begins later, in its order among those of its key.
   */
  void begin(List<Operation> operations, long now) {
    seen = now;
    for (Operation operation : operations) {
      try {
        requireOpen(operation);
        if (mayBegin(operation)) {
          begin(operation, now);
        } else {
          room.requireToWait();
          later.add(operation);
        }
      } catch (StatusRuntimeException e) {
        give(refused(operation.getNumber(), e));
      }
    }
    count();
    tell();
  }

  private boolean mayBegin(Operation operation) {
    return DelayedOperations.goesFirst(operation)
        ? hasRoom(/* goesFirst= */ true) && !later.hasKeyOf(operation)
        : later.isEmpty() && mayBegin(/* goesFirst= */ false);
  }

  /** Releases, renewals and cancels begin without room for answers; locks and reads wait for it. */
  private boolean mayBegin(boolean goesFirst) {
    return hasRoom(goesFirst) && (goesFirst || room.mayBegin());
  }

  private boolean hasRoom(boolean goesFirst) {
    return port.hasRoom(underWay() - countedUnderWay, goesFirst);
  }

  /** Begins what had to wait. */
  void goOn() {
    while (!later.isEmpty() && mayBegin(later.firstGoesFirst())) {
      begin(later.removeFirst(), seen);
    }
    count();
    tell();
  }

  /** The room that the stream has for answers. */
  AnswerRoom room() {
    return room;
  }

  private void begin(Operation operation, long now) {
    try {
      run(operation, now);
    } catch (StatusRuntimeException e) {
      give(refused(operation.getNumber(), e));
    }
  }

  private void run(Operation operation, long now) {
    long number = operation.getNumber();
    if (number < lowestOpen) {
      throw StatusMapping.error(
          Reason.REASON_REQUEST_FORGOTTEN,
          "number [%d] is below lowest_open_number [%d]".formatted(number, lowestOpen));
    }
    port.requireServing();
    switch (operation.getOperationCase()) {
      case LOCK -> lock(number, operation.getLock(), now);
      case UNLOCK -> {
        LockKey key = RequestReader.key(operation.getUnlock().getKey());
        send(key, number, session.release(number, operation.getUnlock()), now);
      }
      case CANCEL -> {
        LockKey key = RequestReader.key(operation.getCancel().getKey());
        send(key, number, session.cancel(operation.getCancel(), lowestOpen), now);
      }
      case RENEW -> {
        RenewRequest request = operation.getRenew();
        LockKey key = RequestReader.key(request.getKey());
        port.renew(key, number, request, session.renewal(key, request, lowestOpen));
        reads.begin();
      }
      case VALIDATE -> {
        port.validate(number, operation.getValidate());
        reads.begin(number);
      }
      case GET_LOCK -> {
        port.get(number, operation.getGetLock());
        reads.begin(number, operation.getGetLock());
      }
      case OPERATION_NOT_SET ->
          throw StatusMapping.error(
              Reason.REASON_NOT_SUPPORTED, "operation [" + number + "] is of no kind known here");
    }
  }

  /** Refuses an operation beyond those that may be open, in line or not begun. */
  private void requireOpen(Operation operation) {
    if (!OpenOperation.isOne(operation) || !open.containsKey(operation.getNumber())) {
      int all = allOpen();
      if (all >= bounds.maxOpenOperations()) {
        throw tooMany(new Quota.Full("stream", bounds.maxOpenOperations()));
      }
      Quota.Full full = port.fullOfOpen(all - countedOpen);
      if (full != null) {
        throw tooMany(full);
      }
    }
  }

  private int allOpen() {
    return open.size() + reads.pending() + later.size();
  }

  private static StatusRuntimeException tooMany(Quota.Full full) {
    return StatusMapping.error(
        Refusal.newBuilder()
            .setReason(Reason.REASON_TOO_MANY_OPEN_OPERATIONS)
            .setMessage(
                "[%d] operations of the %s are open, the maximum by holdfast.sessions"
                    .formatted(full.most(), full.of()))
            .setMaximum(full.most()));
  }

  private int underWay() {
    return open.size() - waiting + reads.pending();
  }

  /** Tells the node how many more or fewer are open than when it was told last. */
  private void count() {
    int nowOpen = allOpen();
    int nowUnderWay = underWay();
    room.count();
    if (nowOpen != countedOpen || nowUnderWay != countedUnderWay) {
      port.count(nowOpen - countedOpen, nowUnderWay - countedUnderWay);
      countedOpen = nowOpen;
      countedUnderWay = nowUnderWay;
    }
  }

  /** The stream has ended: what waits in line is no matter of it any more. */
  void end() {
    open.values().removeIf(operation -> operation.waits);
    waiting = 0;
    later.clear();
    count();
  }

  /** Nothing is open. */
  void forget() {
    open.clear();
    waiting = 0;
    reads.clear();
    count();
  }

  private void lock(long number, LockRequest request, long now) {
    LockKey key = RequestReader.key(request.getKey());
    if (request.hasLeaseId()) {
      // Rare: the order of this operation among those of its key is that of its look-up.
      port.find(key, number, request);
      reads.begin();
      return;
    }
    send(key, number, session.acquire(number, request, session.life(request)), now);
  }

  void onFound(SessionMessage.Found found, long now) {
    reads.found();
    Lifetime life = found.life();
    try {
      if (life == null) {
        throw Calls.status(found.failure());
      }
      LockCommand.Acquire acquire = session.acquire(found.number(), found.request(), life);
      send(found.key(), found.number(), acquire, now);
      tell();
    } catch (StatusRuntimeException e) {
      give(refused(found.number(), e));
    }
    count();
  }

  private void send(LockKey key, long number, LockCommand command, long now) {
    OpenOperation before = open.get(number);
    if (before != null
        && !before.isLike(key, command)) { // its answer would be taken for this one's
      throw StatusMapping.error(
          Reason.REASON_REQUEST_ID_REUSED,
          "number [%d] is that of another operation, which is open".formatted(number));
    }
    LockMessage.Handle message =
        new LockMessage.Handle(command, number, lowestOpen, /* tellsPlace= */ true, answers.from());
    OpenOperation operation = new OpenOperation(key, message, now);
    if (before != null) { // a copy of it is on its way already, and may be decided in another way
      operation.resending.moved(now);
      message = operation.again(now);
      waiting -= before.waits ? 1 : 0;
    }
    open.put(number, operation);
    untold.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(message);
  }

  /* What one frame asks of one lock goes there in one message, and is one write. */
  private void tell() {
    untold.forEach(port::tell);
    untold.clear();
  }

  void onDone(Answer.Builder answer) {
    reads.came(answer.getNumber());
    give(answer);
    count();
  }

  void onAnswer(LockAnswer answer, long now) {
    OpenOperation operation = open.get(answer.number());
    if (operation == null) {
      return; // a second answer to what was asked twice
    } else if (answer.outcome() instanceof Outcome.Waiting) {
      if (operation.waits) {
        return;
      }
      operation.inLine(now);
      waiting++;
    } else if (!operation.resending.isOutcome(answer)) {
      return; // another copy is on its way, and may be decided in another way
    } else {
      open.remove(answer.number());
      waiting -= operation.waits ? 1 : 0;
    }
    give(translated(operation, answer));
    count();
  }

  private void give(Answer.Builder answer) {
    answers.to().accept(room.fitting(answer));
  }

  private Answer.Builder translated(OpenOperation operation, LockAnswer answer) {
    Answer.Builder built =
        Answer.newBuilder().setNumber(answer.number()).setRevision(answer.revision());
    LockCommand command = operation.message.command();
    try {
      if (command instanceof LockCommand.Acquire) {
        LockResponse.Builder response = writer.lock(operation.key, answer.outcome());
        out.hint(operation.key, response::setOwner);
        return built.setLock(response);
      } else if (isRelease(command)) {
        UnlockResponse.Builder response = writer.unlock(operation.key, answer.outcome());
        out.hint(operation.key, response::setOwner);
        return built.setUnlock(response);
      }
      return built.setCancel(writer.cancel(operation.key, answer.outcome()));
    } catch (StatusRuntimeException e) {
      return refused(answer.number(), e);
    }
  }

  /** Asked alone: a ladder over the commands would have to name them all. */
  private static boolean isRelease(LockCommand command) {
    return command instanceof LockCommand.Release;
  }

  static Answer.Builder refused(long number, StatusRuntimeException error) {
    return Answer.newBuilder().setNumber(number).setRefused(StatusMapping.refusal(error));
  }

  /** Some time has passed: what has no answer may be lost. */
  void onTick(long now) {
    seen = now;
    goOn(); // others may have left room
    for (OpenOperation operation : open.values()) {
      if (operation.resending.isDue(now)) {
        port.tell(operation.key, operation.again(now));
      }
    }
  }

  /** These shards have come to other owners: what is open there is lost, or can be answered now. */
  void onMoved(Set<Integer> moved, long now) {
    for (OpenOperation operation : open.values()) {
      if (moved.contains(shards.shard(operation.key))) {
        operation.resending.moved(now);
        port.tell(operation.key, operation.again(now));
      }
    }
  }

  /** Whether all have their final answer. */
  boolean isDone() {
    return allOpen() == 0;
  }

  /** Whether all have their final answer, or wait in line. */
  boolean isDecided() {
    return underWay() == 0 && later.isEmpty();
  }
}
