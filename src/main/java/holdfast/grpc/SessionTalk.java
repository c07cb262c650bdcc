package holdfast.grpc;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import holdfast.entity.LeaseAnswer;
import holdfast.entity.LockAnswer;
import holdfast.entity.LockMessage;
import holdfast.entity.Renewal;
import holdfast.grpc.SessionFlow.Event;
import holdfast.grpc.SessionFlow.Out;
import holdfast.lease.LeaseCommand;
import holdfast.lock.ClientId;
import holdfast.lock.Content;
import holdfast.lock.Life;
import holdfast.lock.LockCommand;
import holdfast.lock.LockKey;
import holdfast.lock.Outcome;
import holdfast.lock.Request;
import holdfast.lock.RequestId;
import holdfast.v1.Answer;
import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.Operation;
import holdfast.v1.Reason;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
import holdfast.v1.UnlockResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one stream of a session: it sends the operations of its frames to the locks, asks
 * again for what is not answered, and gives the answers back in as few frames as the client's pace
 * allows. It belongs to the stream: the session outlives it.
 */
final class SessionTalk extends AbstractBehavior<Object> {

  /*
   * An operation costs one message to its lock and one back. Answers that come close together go
   * out in one frame: each only sets a flag that this actor sends itself, behind whatever else has
   * come, and a frame is made when that is read and the client wants one.
   */

  private static final Duration AGAIN_EVERY = Duration.ofMillis(250);

  /** A request that waits in line is asked for again after so many looks. */
  private static final int LOOKS_WHILE_WAITING = 4;

  private static final int MAX_OPERATIONS = 1_024;

  /** With so many answers unread no frame is taken. */
  private static final int MAX_UNREAD = 8_192;

  private enum Tick {
    FLUSH,
    AGAIN
  }

  private record KeptAlive(long number, Renewal.@Nullable Answer answer) {}

  private record Done(Answer.Builder answer) {}

  private record OpenedAs(SessionOpening.@Nullable Opened opened, @Nullable Throwable failure) {}

  private record Revoked(@Nullable Throwable failure) {}

  /** An operation without a final answer. */
  private static final class Open {
    final LockKey key;
    final LockMessage.Handle message;
    boolean waits;
    int looks;

    Open(LockKey key, LockMessage.Handle message) {
      this.key = key;
      this.message = message;
    }
  }

  private final SessionPlace place;
  private final ActorRef<Object> self;
  private final Map<Long, Open> open = new LinkedHashMap<>();
  private final SessionOutbox out;
  private boolean flushing;
  private @Nullable SessionOperations session;
  private @Nullable ActorRef<SessionFlow.Taken> unanswered;
  private @Nullable SessionRequest first;
  private long lowestOpen = 1;
  private long pendingReads;
  private boolean closing;
  private boolean finished;
  private boolean toldLeaving;

  /**
   * A talk that waits for its first frame.
   *
   * @param place what a session needs of its node
   */
  static Behavior<Object> create(SessionPlace place) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(Tick.AGAIN, Tick.AGAIN, AGAIN_EVERY);
                  return new SessionTalk(context, place);
                }));
  }

  private SessionTalk(ActorContext<Object> context, SessionPlace place) {
    super(context);
    this.place = place;
    this.self = context.getSelf();
    this.out = new SessionOutbox(place.writer(), place.locks());
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(LockAnswer.class, this::onLockAnswer)
        .onMessage(Event.Came.class, this::onFrame)
        .onMessage(Event.Wanted.class, this::onWanted)
        .onMessage(Tick.class, this::onTick)
        .onMessage(Done.class, this::onDone)
        .onMessage(KeptAlive.class, this::onKeptAlive)
        .onMessage(Found.class, this::onFound)
        .onMessage(OpenedAs.class, this::onOpenedAs)
        .onMessage(Event.Opened.class, this::onStream)
        .onMessage(Event.Begun.class, this::onBegun)
        .onMessage(Event.Finished.class, this::onFinished)
        .onMessage(Sessions.Replaced.class, this::onReplaced)
        .onMessage(Revoked.class, this::onRevoked)
        .onSignal(Terminated.class, terminated -> end())
        .build();
  }

  private Behavior<Object> onStream(Event.Opened opened) {
    out.opened(opened.out());
    getContext().watch(opened.out());
    return this;
  }

  private Behavior<Object> onBegun(Event.Begun begun) {
    begun.taken().tell(SessionFlow.Taken.INSTANCE);
    return this;
  }

  private Behavior<Object> onFrame(Event.Came came) {
    SessionRequest frame = came.frame();
    unanswered = came.taken();
    try {
      RequestReader.requireSize(frame.getSerializedSize());
      requireValid(frame);
      if (session == null) {
        if (!frame.hasOpen()) {
          throw invalid("the first frame must have [open]");
        } else if (first != null) {
          throw invalid("the session is being opened");
        }
        first = frame;
        getContext()
            .pipeToSelf(
                place.opening().open(frame.getOpen()),
                (opened, failure) -> new OpenedAs(opened, failure));
        return this; // the next frame comes when it is open
      } else if (frame.hasOpen()) {
        throw invalid("only the first frame may have [open]");
      }
      run(session, frame);
      take();
      return this;
    } catch (StatusRuntimeException e) {
      return fail(e);
    }
  }

  private static void requireValid(SessionRequest frame) {
    if (frame.getOperationsCount() > MAX_OPERATIONS) {
      throw invalid(
          "a frame has [%d] operations, above the maximum [%d]"
              .formatted(frame.getOperationsCount(), MAX_OPERATIONS));
    }
    for (Operation operation : frame.getOperationsList()) {
      if (operation.getNumber() <= 0) {
        throw invalid("an operation has the number [" + operation.getNumber() + "]");
      }
    }
  }

  private static StatusRuntimeException invalid(String message) {
    return StatusMapping.error(Reason.REASON_FRAME_INVALID, message);
  }

  private Behavior<Object> onOpenedAs(OpenedAs result) {
    SessionRequest frame = first;
    SessionOpening.Opened opened = result.opened();
    if (opened == null || frame == null) {
      return fail(
          Calls.status(
              result.failure() == null
                  ? new IllegalStateException("a session was opened without a frame")
                  : result.failure()));
    }
    SessionOperations operations = new SessionOperations(opened.client(), opened.life());
    session = operations;
    place.sessions().join(opened.life().on().id(), self);
    out.begin(opened.message());
    try {
      run(operations, frame);
    } catch (StatusRuntimeException e) {
      return fail(e);
    }
    first = null;
    take();
    flushSoon();
    return this;
  }

  private void run(SessionOperations operations, SessionRequest frame) {
    lowestOpen = Math.max(lowestOpen, frame.getLowestOpenNumber());
    if (frame.getKeepAliveNumber() > 0) {
      keepAlive(operations, frame.getKeepAliveNumber());
    }
    for (Operation operation : frame.getOperationsList()) {
      try {
        run(operations, operation);
      } catch (StatusRuntimeException e) {
        refuse(operation.getNumber(), e);
      }
    }
    closing |= frame.getClose();
    closeOnceDecided();
  }

  private void run(SessionOperations operations, Operation operation) {
    long number = operation.getNumber();
    if (number < lowestOpen) {
      throw StatusMapping.error(
          Reason.REASON_REQUEST_FORGOTTEN,
          "number [%d] is below lowest_open_number [%d]".formatted(number, lowestOpen));
    } else if (open.size() + pendingReads >= place.settings().maxOpenOperations()
        && !open.containsKey(number)) {
      throw StatusMapping.error(
          Reason.REASON_TOO_MANY_OPEN_OPERATIONS,
          "[%d] operations are open, the maximum".formatted(place.settings().maxOpenOperations()));
    }
    place.calls().requireServing();
    switch (operation.getOperationCase()) {
      case LOCK -> lock(operations, number, operation.getLock());
      case UNLOCK -> {
        LockKey key = RequestReader.key(operation.getUnlock().getKey());
        send(key, number, operations.release(number, operation.getUnlock()));
      }
      case CANCEL -> {
        LockKey key = RequestReader.key(operation.getCancel().getKey());
        send(key, number, operations.cancel(operation.getCancel()));
      }
      case RENEW -> {
        LockKey key = RequestReader.key(operation.getRenew().getKey());
        Renewal renewal = operations.renewal(key, operation.getRenew());
        read(
            number,
            place
                .locks()
                .renew(renewal)
                .thenApply(
                    answer ->
                        Answer.newBuilder()
                            .setRenew(place.writer().renewed(key, operation.getRenew(), answer))));
      }
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

  private void lock(SessionOperations operations, long number, LockRequest request) {
    LockKey key = RequestReader.key(request.getKey());
    if (request.hasLeaseId()) {
      // Rare: the order of this operation among those of its key is that of its look-up.
      pendingReads++;
      getContext()
          .pipeToSelf(
              place.lives().shared(request),
              (life, failure) -> new Found(key, number, request, life, failure));
      return;
    }
    send(key, number, operations.acquire(number, request, operations.life(request)));
  }

  private record Found(
      LockKey key,
      long number,
      LockRequest request,
      @Nullable Life life,
      @Nullable Throwable failure) {}

  private Behavior<Object> onFound(Found found) {
    pendingReads--;
    SessionOperations operations = session;
    Life life = found.life();
    try {
      if (operations == null || life == null) {
        throw Calls.status(found.failure() == null ? noAnswer() : found.failure());
      }
      send(found.key(), found.number(), operations.acquire(found.number(), found.request(), life));
    } catch (StatusRuntimeException e) {
      refuse(found.number(), e);
    }
    closeOnceDecided();
    return this;
  }

  private void send(LockKey key, long number, LockCommand command) {
    Open operation =
        new Open(
            key,
            new LockMessage.Handle(
                command, number, lowestOpen, /* tellsPlace= */ true, self.narrow()));
    open.put(number, operation);
    place.locks().tell(key, operation.message);
  }

  private void read(long number, CompletionStage<Answer.Builder> answering) {
    pendingReads++;
    getContext()
        .pipeToSelf(
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

  private Behavior<Object> onDone(Done done) {
    pendingReads--;
    give(done.answer());
    closeOnceDecided();
    return this;
  }

  private Behavior<Object> onLockAnswer(LockAnswer answer) {
    Open operation = open.get(answer.number());
    if (operation == null) {
      return this; // a second answer to what was asked twice
    }
    if (answer.outcome() instanceof Outcome.Waiting) {
      if (operation.waits) {
        return this;
      }
      operation.waits = true;
    } else {
      open.remove(answer.number());
    }
    give(translated(operation, answer));
    closeOnceDecided();
    return this;
  }

  private Answer.Builder translated(Open operation, LockAnswer answer) {
    Answer.Builder built =
        Answer.newBuilder().setNumber(answer.number()).setRevision(answer.revision());
    LockCommand command = operation.message.command();
    try {
      if (command instanceof LockCommand.Acquire) {
        LockResponse.Builder response = AnswerWriter.lock(operation.key, answer.outcome());
        out.hint(operation.key, response::setOwner);
        return built.setLock(response);
      } else if (isRelease(command)) {
        UnlockResponse.Builder response = AnswerWriter.unlock(operation.key, answer.outcome());
        out.hint(operation.key, response::setOwner);
        return built.setUnlock(response);
      }
      return built.setCancel(AnswerWriter.cancel(operation.key, answer.outcome()));
    } catch (StatusRuntimeException e) {
      return refused(answer.number(), e);
    }
  }

  /** Asked alone: a ladder over the commands would have to name them all. */
  private static boolean isRelease(LockCommand command) {
    return command instanceof LockCommand.Release;
  }

  private void refuse(long number, StatusRuntimeException error) {
    give(refused(number, error));
  }

  private static Answer.Builder refused(long number, StatusRuntimeException error) {
    return Answer.newBuilder().setNumber(number).setRefused(StatusMapping.refusal(error));
  }

  private void give(Answer.Builder answer) {
    out.give(answer.build());
    flushSoon();
  }

  private void flushSoon() {
    if (!flushing) {
      flushing = true;
      self.tell(Tick.FLUSH);
    }
  }

  private void keepAlive(SessionOperations operations, long number) {
    getContext()
        .pipeToSelf(
            place
                .locks()
                .renew(
                    new Renewal.OfLease(operations.lease().id(), operations.lease().incarnation())),
            (answer, failure) -> new KeptAlive(number, answer));
  }

  private Behavior<Object> onKeptAlive(KeptAlive kept) {
    Renewal.Answer answer = kept.answer();
    if (answer == null) {
      return this; // nobody could say so: it does not count
    } else if (!answer.alive()) {
      return fail(
          StatusMapping.error(
              Reason.REASON_SESSION_NOT_FOUND, "the session has ended, with all its grants"));
    }
    SessionResponse.Builder frame = out.frame();
    if (kept.number() > frame.getKeepAliveNumber()) {
      frame.setKeepAliveNumber(kept.number()).setGrantedTtlMs(answer.ttlMs());
    }
    flushSoon();
    return this;
  }

  private Behavior<Object> onWanted(Event.Wanted event) {
    out.wanted();
    return speak();
  }

  private Behavior<Object> onTick(Tick tick) {
    if (tick == Tick.FLUSH) {
      flushing = false;
      return speak();
    }
    for (Open operation : open.values()) {
      operation.looks++;
      if (operation.looks > 1 && (!operation.waits || operation.looks % LOOKS_WHILE_WAITING == 0)) {
        place.locks().tell(operation.key, operation.message);
      }
    }
    if (place.isLeaving() && !toldLeaving && session != null) {
      toldLeaving = true;
      out.frame().setLeaving(true);
      return speak();
    }
    return session != null && out.hasNewOwners() ? speak() : this;
  }

  /** Gives the client what there is for it, if it wants a frame. */
  private Behavior<Object> speak() {
    boolean closed = out.speak();
    take();
    if (closed || (finished && isAnswered())) {
      out.end(new Out.End());
      return end();
    }
    return this;
  }

  /** Lets the next frame come, unless too much is unread. */
  private void take() {
    ActorRef<SessionFlow.Taken> waiting = unanswered;
    if (waiting != null && session != null && out.unread() < MAX_UNREAD) {
      unanswered = null;
      waiting.tell(SessionFlow.Taken.INSTANCE);
    }
  }

  /** The client sends no more. What is open still gets its answer, while the stream is read. */
  private Behavior<Object> onFinished(Event.Finished event) {
    finished = true;
    if (isAnswered()) {
      out.end(new Out.End());
      return end();
    }
    return this;
  }

  private boolean isAnswered() {
    return open.isEmpty() && pendingReads == 0 && out.isEmpty();
  }

  private void closeOnceDecided() {
    SessionOperations operations = session;
    if (closing && operations != null && pendingReads == 0 && allWait()) {
      closing = false;
      getContext()
          .pipeToSelf(
              place
                  .locks()
                  .handle(
                      operations.lease().id(),
                      new LeaseCommand.Revoke(
                          new Request(
                              new RequestId.Once(ClientId.NAMELESS, place.random().getAsLong()),
                              Content.ANY),
                          operations.lease().incarnation())),
              (LeaseAnswer answer, Throwable failure) -> new Revoked(failure));
    }
  }

  private boolean allWait() {
    return open.values().stream().allMatch(operation -> operation.waits);
  }

  private Behavior<Object> onRevoked(Revoked revoked) {
    if (revoked.failure() != null) {
      return fail(Calls.status(revoked.failure())); // it may be alive: that it is closed is unsaid
    }
    out.frame().setClosed(true);
    return speak();
  }

  private Behavior<Object> onReplaced(Sessions.Replaced replaced) {
    return fail(
        StatusMapping.error(
            Reason.REASON_SESSION_REPLACED, "a newer stream of this session took over"));
  }

  private Behavior<Object> fail(StatusRuntimeException error) {
    out.end(new Out.Failure(error));
    return end();
  }

  private Behavior<Object> end() {
    if (session != null) {
      place.sessions().leave(session.lease().id(), self);
    }
    place.sessions().ended();
    return Behaviors.stopped();
  }
}
