package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.ShardId;
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
 * The open operations of one session stream: sends each to its lock, resends it until it is
 * answered, and translates the answers. Belongs to one {@link SessionStreamCore}.
 */
final class SessionOperations {

  /**
   * The route of answers.
   *
   * @param from receives the answers of locks
   * @param to receives each answer for the client
   */
  record AnswerRoute(ActorRef<LockAnswer> from, Consumer<Answer.Builder> to) {}

  private final SessionPort port;
  private final AnswerWriter writer;
  private final ShardMap shards;
  private final SessionStreamSettings bounds;
  private final OperationTranslator session;
  private final SessionOutbox out;
  private final AnswerRoute answers;
  private final Map<Long, OpenOperation> open = new LinkedHashMap<>();
  private final Map<LockKey, List<LockMessage.Handle>> unsent = new LinkedHashMap<>();
  private long lowestOpen = 1;
  private int waiting;
  private int countedOpen;
  private int countedUnderWay;
  private final DelayedOperations delayed = new DelayedOperations();
  private final PendingReads reads = new PendingReads();
  private final AnswerBackpressure backpressure;
  private long seen;

  /**
   * Starts without operations.
   *
   * @param out knows the owners of shards that the client was told
   */
  SessionOperations(
      SessionPort port,
      AnswerWriter writer,
      ShardMap shards,
      SessionStreamSettings bounds,
      OperationTranslator session,
      SessionOutbox out,
      AnswerRoute answers) {
    this.port = port;
    this.writer = writer;
    this.shards = shards;
    this.bounds = bounds;
    this.session = session;
    this.out = out;
    this.answers = answers;
    backpressure = new AnswerBackpressure(port, out, reads, delayed);
  }

  OperationTranslator session() {
    return session;
  }

  /** Raises the lowest open number: the client has the final answer to every smaller one. */
  void lowestOpen(long number) {
    lowestOpen = Math.max(lowestOpen, number);
  }

  /** Starts, delays or refuses the operations of a frame; those on one key keep their order. */
  void begin(List<Operation> operations, long now) {
    seen = now;
    for (Operation operation : operations) {
      try {
        requireOpen(operation);
        if (mayBegin(operation)) {
          begin(operation, now);
        } else {
          backpressure.requireToWait();
          delayed.add(operation);
        }
      } catch (StatusRuntimeException e) {
        give(refused(operation.getNumber(), e));
      }
    }
    count();
    sendUnsent();
  }

  private boolean mayBegin(Operation operation) {
    return DelayedOperations.goesFirst(operation)
        ? hasRoom(/* goesFirst= */ true) && !delayed.hasKeyOf(operation)
        : delayed.isEmpty() && mayBegin(/* goesFirst= */ false);
  }

  /** Releases, renewals and cancels start without room for answers; locks and reads wait for it. */
  private boolean mayBegin(boolean goesFirst) {
    return hasRoom(goesFirst) && (goesFirst || backpressure.mayBegin());
  }

  private boolean hasRoom(boolean goesFirst) {
    return port.hasRoom(underWay() - countedUnderWay, goesFirst);
  }

  /** Starts delayed operations. */
  void startDelayed() {
    while (!delayed.isEmpty() && mayBegin(delayed.firstGoesFirst())) {
      begin(delayed.removeFirst(), seen);
    }
    count();
    sendUnsent();
  }

  /** Returns the backpressure of the stream. */
  AnswerBackpressure backpressure() {
    return backpressure;
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
              Reason.REASON_NOT_SUPPORTED, "operation [" + number + "] is of an unknown kind");
    }
  }

  /** Refuses an operation above the limits; queued and delayed operations count. */
  private void requireOpen(Operation operation) {
    if (!OpenOperation.goesToLock(operation) || !open.containsKey(operation.getNumber())) {
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
    return open.size() + reads.pending() + delayed.size();
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

  /** Reports the changes of all counts to the node. */
  private void count() {
    int nowOpen = allOpen();
    int nowUnderWay = underWay();
    backpressure.count();
    if (nowOpen != countedOpen || nowUnderWay != countedUnderWay) {
      port.count(nowOpen - countedOpen, nowUnderWay - countedUnderWay);
      countedOpen = nowOpen;
      countedUnderWay = nowUnderWay;
    }
  }

  /** Drops the operations that wait in a queue or are delayed: the stream has ended. */
  void end() {
    open.values().removeIf(operation -> operation.waits);
    waiting = 0;
    delayed.clear();
    count();
  }

  /** Drops all operations. */
  void forget() {
    open.clear();
    waiting = 0;
    reads.clear();
    count();
  }

  private void lock(long number, LockRequest request, long now) {
    LockKey key = RequestReader.key(request.getKey());
    if (request.hasLeaseId()) {
      // Rare. The operation is sent when the lookup is complete, perhaps after later ones on its
      // key.
      port.find(key, number, request);
      reads.begin();
      return;
    }
    send(key, number, session.acquire(number, request, session.life(request)), now);
  }

  void onFound(SessionMessage.LeaseFound found, long now) {
    reads.lookedUp();
    Lifetime life = found.life();
    try {
      if (life == null) {
        throw CallRunner.status(found.failure());
      }
      LockCommand.Acquire acquire = session.acquire(found.number(), found.request(), life);
      send(found.key(), found.number(), acquire, now);
      sendUnsent();
    } catch (StatusRuntimeException e) {
      give(refused(found.number(), e));
    }
    count();
  }

  private void send(LockKey key, long number, LockCommand command, long now) {
    OpenOperation before = open.get(number);
    if (before != null
        && !before.mayBeCopyOf(key, command)) { // its answer would match this operation too
      throw StatusMapping.error(
          Reason.REASON_REQUEST_ID_REUSED,
          "number [%d] is that of another operation, which is open".formatted(number));
    }
    LockMessage.Handle message =
        new LockMessage.Handle(command, number, lowestOpen, /* tellsPlace= */ true, answers.from());
    OpenOperation operation = new OpenOperation(key, message, now);
    if (before != null) { // a copy is in flight, and may have another outcome
      operation.resending.moved(now);
      message = operation.resent(now);
      waiting -= before.waits ? 1 : 0;
    }
    open.put(number, operation);
    unsent.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(message);
  }

  /* The operations of one frame on one lock are sent in one message, and are one write. */
  private void sendUnsent() {
    unsent.forEach(port::tell);
    unsent.clear();
  }

  void onDone(Answer.Builder answer) {
    reads.answered(answer.getNumber());
    give(answer);
    count();
  }

  void onAnswer(LockAnswer answer, long now) {
    OpenOperation operation = open.get(answer.number());
    if (operation == null) {
      return; // a second answer to a copy
    } else if (answer.outcome() instanceof Outcome.Waiting) {
      if (operation.waits) {
        return;
      }
      operation.queued(now);
      waiting++;
    } else if (!operation.resending.isOutcome(answer)) {
      return; // another copy is in flight, and may have another outcome
    } else {
      open.remove(answer.number());
      waiting -= operation.waits ? 1 : 0;
    }
    give(translated(operation, answer));
    count();
  }

  private void give(Answer.Builder answer) {
    answers.to().accept(backpressure.shortenedIfFull(answer));
  }

  private Answer.Builder translated(OpenOperation operation, LockAnswer answer) {
    Answer.Builder built =
        Answer.newBuilder().setNumber(answer.number()).setRevision(answer.revision().value());
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

  /** A method of its own: a chain of {@code instanceof} would have to name all commands. */
  private static boolean isRelease(LockCommand command) {
    return command instanceof LockCommand.Release;
  }

  static Answer.Builder refused(long number, StatusRuntimeException error) {
    return Answer.newBuilder().setNumber(number).setRefused(StatusMapping.refusal(error));
  }

  /** Handles a tick of the timer: resends operations whose answer is due. */
  void onTick(long now) {
    seen = now;
    startDelayed(); // other streams may have released quotas
    for (OpenOperation operation : open.values()) {
      if (operation.resending.isDue(now)) {
        port.tell(operation.key, operation.resent(now));
      }
    }
  }

  /** Resends the open operations of these shards, whose owners have changed. */
  void onMoved(Set<ShardId> moved, long now) {
    for (OpenOperation operation : open.values()) {
      if (moved.contains(shards.shard(operation.key))) {
        operation.resending.moved(now);
        port.tell(operation.key, operation.resent(now));
      }
    }
  }

  /** True if all operations have their final answer. */
  boolean isDone() {
    return allOpen() == 0;
  }

  /** True if all operations have their final answer or wait in a queue. */
  boolean isDecided() {
    return underWay() == 0 && delayed.isEmpty();
  }
}
