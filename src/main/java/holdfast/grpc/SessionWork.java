package holdfast.grpc;

import akka.actor.typed.javadsl.ActorContext;
import holdfast.config.SessionStreamSettings;
import holdfast.entity.LockAnswer;
import holdfast.entity.LockMessage;
import holdfast.entity.Renewal;
import holdfast.entity.Resending;
import holdfast.grpc.guard.Caller;
import holdfast.lock.Life;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.Outcome;
import holdfast.v1.Answer;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.Operation;
import holdfast.v1.Reason;
import holdfast.v1.RenewRequest;
import holdfast.v1.UnlockResponse;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations of one stream of a session that have no final answer: it sends them to the locks,
 * asks again for what is not answered, and translates the answers. Belongs to the stream's actor,
 * which hands it the answers that are its own.
 */
final class SessionWork {

  private static final long NANOS_PER_MILLI = 1_000_000;

  /** An answer that is complete. */
  record Done(Answer.Builder answer) {}

  /** By what a holder will live, or why that is not known. */
  record Found(
      LockKey key,
      long number,
      LockRequest request,
      @Nullable Life life,
      @Nullable Throwable failure) {}

  private static final class Open {
    final LockKey key;
    final LockMessage.Handle message;
    final long sentAt = System.nanoTime();
    final Resending resending = new Resending(sentAt);
    boolean waits;

    Open(LockKey key, LockMessage.Handle message) {
      this.key = key;
      this.message = message;
    }

    /** What is left to ask for, when it is sent again. */
    LockMessage.Handle again(long now) {
      return message.after((now - sentAt) / NANOS_PER_MILLI);
    }

    /** Whether this may be the same operation, sent again; the lock looks closer. */
    boolean isLike(LockKey otherKey, LockCommand other) {
      return key.equals(otherKey) && message.command().getClass().equals(other.getClass());
    }
  }

  private final ActorContext<Object> context;
  private final SessionPlace place;
  private final Caller caller;
  private final SessionOperations session;
  private final SessionOutbox out;
  private final Consumer<Answer.Builder> give;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private final Map<LockKey, List<LockMessage.Handle>> untold = new LinkedHashMap<>();
  private long lowestOpen = 1;
  private int pendingReads;
  private int counted;

  /**
   * Nothing to do yet.
   *
   * @param caller whose connection it comes by
   * @param out what the client has been told of owners
   * @param give takes each answer
   */
  SessionWork(
      ActorContext<Object> context,
      SessionPlace place,
      Caller caller,
      SessionOperations session,
      SessionOutbox out,
      Consumer<Answer.Builder> give) {
    this.context = context;
    this.place = place;
    this.caller = caller;
    this.session = session;
    this.out = out;
    this.give = give;
  }

  SessionOperations session() {
    return session;
  }

  /** Every operation with a smaller number has got its final answer. */
  void lowestOpen(long number) {
    lowestOpen = Math.max(lowestOpen, number);
  }

  /** Begins the operations of a frame, or refuses them. */
  void begin(List<Operation> operations) {
    operations.forEach(this::begin);
    tell();
  }

  private void begin(Operation operation) {
    try {
      run(operation);
    } catch (StatusRuntimeException e) {
      give.accept(refused(operation.getNumber(), e));
    }
    count();
  }

  private void run(Operation operation) {
    long number = operation.getNumber();
    if (number < lowestOpen) {
      throw StatusMapping.error(
          Reason.REASON_REQUEST_FORGOTTEN,
          "number [%d] is below lowest_open_number [%d]".formatted(number, lowestOpen));
    } else if (!open.containsKey(number)) {
      SessionStreamSettings bounds = place.settings();
      requireRoom("stream", open.size() + pendingReads, bounds.maxOpenOperations());
      requireRoom("connection", caller.operations().get(), bounds.maxOpenOperationsPerConnection());
    }
    place.calls().requireServing();
    switch (operation.getOperationCase()) {
      case LOCK -> lock(number, operation.getLock());
      case UNLOCK -> {
        LockKey key = RequestReader.key(operation.getUnlock().getKey());
        send(key, number, session.release(number, operation.getUnlock()));
      }
      case CANCEL -> {
        LockKey key = RequestReader.key(operation.getCancel().getKey());
        send(key, number, session.cancel(operation.getCancel(), lowestOpen));
      }
      case RENEW -> renew(number, operation.getRenew());
      case VALIDATE ->
          read(
              number,
              place
                  .reads()
                  .validate(operation.getValidate())
                  .thenApply(
                      response ->
                          Answer.newBuilder()
                              .setRevision(response.getHeader().getRevision())
                              .setValidate(response.toBuilder().clearHeader())));
      case GET_LOCK ->
          read(
              number,
              place
                  .reads()
                  .get(operation.getGetLock())
                  .thenApply(
                      response ->
                          Answer.newBuilder()
                              .setRevision(response.getHeader().getRevision())
                              .setGetLock(response.toBuilder().clearHeader())));
      case OPERATION_NOT_SET ->
          throw StatusMapping.error(
              Reason.REASON_NOT_SUPPORTED, "operation [" + number + "] is of no kind known here");
    }
  }

  private static void requireRoom(String where, int now, int most) {
    if (now >= most) {
      throw StatusMapping.error(
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_TOO_MANY_OPEN_OPERATIONS)
              .setMessage("[%d] operations of the %s are open, the maximum".formatted(most, where))
              .setMaximum(most));
    }
  }

  /** Tells the connection how many more or fewer are open than when it was told last. */
  private void count() {
    int now = open.size() + pendingReads;
    if (now != counted) {
      caller.operations().addAndGet(now - counted);
      counted = now;
    }
  }

  /** The stream has ended: nothing of it is open. */
  void end() {
    caller.operations().addAndGet(-counted);
    counted = 0;
  }

  private void renew(long number, RenewRequest request) {
    LockKey key = RequestReader.key(request.getKey());
    Renewal renewal = session.renewal(key, request, lowestOpen);
    read(
        number,
        place
            .locks()
            .renew(renewal)
            .thenApply(
                answer ->
                    Answer.newBuilder().setRenew(place.writer().renewed(key, request, answer))));
  }

  private void lock(long number, LockRequest request) {
    LockKey key = RequestReader.key(request.getKey());
    if (request.hasLeaseId()) {
      // Rare: the order of this operation among those of its key is that of its look-up.
      pendingReads++;
      context.pipeToSelf(
          place.lives().shared(request),
          (life, failure) -> new Found(key, number, request, life, failure));
      return;
    }
    send(key, number, session.acquire(number, request, session.life(request)));
  }

  void on(Found found) {
    pendingReads--;
    Life life = found.life();
    try {
      if (life == null) {
        throw Calls.status(found.failure() == null ? noAnswer() : found.failure());
      }
      send(found.key(), found.number(), session.acquire(found.number(), found.request(), life));
      tell();
    } catch (StatusRuntimeException e) {
      give.accept(refused(found.number(), e));
    }
    count();
  }

  private void send(LockKey key, long number, LockCommand command) {
    Open before = open.get(number);
    if (before != null
        && !before.isLike(key, command)) { // its answer would be taken for this one's
      throw StatusMapping.error(
          Reason.REASON_REQUEST_ID_REUSED,
          "number [%d] is that of another operation, which is open".formatted(number));
    }
    Open operation =
        new Open(
            key,
            new LockMessage.Handle(
                command, number, lowestOpen, /* tellsPlace= */ true, context.getSelf().narrow()));
    open.put(number, operation);
    untold.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(operation.message);
  }

  /* What one frame asks of one lock goes there in one message, and is one write. */
  private void tell() {
    untold.forEach(place.locks()::tell);
    untold.clear();
  }

  private void read(long number, CompletionStage<Answer.Builder> answering) {
    pendingReads++;
    context.pipeToSelf(
        answering,
        (answer, failure) ->
            new Done(
                answer == null
                    ? refused(number, Calls.status(failure == null ? noAnswer() : failure))
                    : answer.setNumber(number)));
  }

  private static Throwable noAnswer() {
    return new IllegalStateException("neither an answer nor a failure");
  }

  void on(Done done) {
    pendingReads--;
    count();
    give.accept(done.answer());
  }

  void on(LockAnswer answer) {
    Open operation = open.get(answer.number());
    if (operation == null) {
      return; // a second answer to what was asked twice
    } else if (answer.outcome() instanceof Outcome.Waiting) {
      if (operation.waits) {
        return;
      }
      operation.waits = true;
      operation.resending.waits(System.nanoTime());
    } else if (!operation.resending.isOutcome(answer)) {
      return; // the answer to a later copy
    } else {
      open.remove(answer.number());
      count();
    }
    give.accept(translated(operation, answer));
  }

  private Answer.Builder translated(Open operation, LockAnswer answer) {
    Answer.Builder built =
        Answer.newBuilder().setNumber(answer.number()).setRevision(answer.revision());
    LockCommand command = operation.message.command();
    AnswerWriter writer = place.writer();
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

  private static Answer.Builder refused(long number, StatusRuntimeException error) {
    return Answer.newBuilder().setNumber(number).setRefused(StatusMapping.refusal(error));
  }

  /** Some time has passed: what has no answer may be lost. */
  void askAgain() {
    long now = System.nanoTime();
    for (Open operation : open.values()) {
      if (operation.resending.isDue(now)) {
        place.locks().tell(operation.key, operation.again(now));
      }
    }
  }

  /** These shards have come to other owners: what is open there is lost, or can be answered now. */
  void moved(Set<Integer> shards) {
    long now = System.nanoTime();
    for (Open operation : open.values()) {
      if (shards.contains(place.locks().shard(operation.key))) {
        operation.resending.moved(now);
        place.locks().tell(operation.key, operation.again(now));
      }
    }
  }

  /** Whether all have their final answer. */
  boolean isDone() {
    return open.isEmpty() && pendingReads == 0;
  }

  /** Whether all have their final answer, or wait in line. */
  boolean isDecided() {
    return pendingReads == 0 && open.values().stream().allMatch(operation -> operation.waits);
  }
}
