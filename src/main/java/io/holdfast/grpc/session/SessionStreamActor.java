package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.call.CallRunner;
import io.holdfast.grpc.frame.SessionIntake;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.session.SessionFlow.Event;
import io.holdfast.grpc.session.SessionFlow.Out;
import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionResponse;
import io.holdfast.v1.ValidateRequest;
import io.holdfast.wire.CallerMessage;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one session stream. It runs a {@link SessionStreamCore}, and decides nothing itself.
 */
public final class SessionStreamActor extends AbstractBehavior<CallerMessage>
    implements SessionPort {

  private static final Duration AGAIN_EVERY = Duration.ofMillis(250);

  private final SessionDependencies node;
  private final SessionIntake intake;
  private final ClientConnection caller;
  private final ActorRef<CallerMessage> self;
  private final SessionStreamCore core;
  private @Nullable ActorRef<Out> out;
  private @Nullable ActorRef<SessionFlow.Taken> unanswered;
  private @Nullable LeaseLife serves;
  private boolean hasLeft;

  /**
   * Creates an actor that waits for the first frame.
   *
   * @param node the parts of the node that the stream uses
   * @param intake admits the frames of the stream
   */
  public static Behavior<CallerMessage> create(SessionDependencies node, SessionIntake intake) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  SessionMessage.Tick again = SessionMessage.Tick.AGAIN;
                  timers.startTimerWithFixedDelay(again, again, AGAIN_EVERY);
                  return new SessionStreamActor(context, node, intake);
                }));
  }

  private SessionStreamActor(
      ActorContext<CallerMessage> context, SessionDependencies node, SessionIntake intake) {
    super(context);
    this.node = node;
    this.intake = intake;
    this.caller = intake.caller();
    this.self = context.getSelf();
    core = new SessionStreamCore(this, node.writer(), node.locks(), node.settings(), self.narrow());
  }

  // ------------------------------------------------------------------ messages

  @Override
  public Receive<CallerMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(LockAnswer.class, answer -> settled(() -> core.onAnswer(answer, now())))
        .onMessage(Event.FrameReceived.class, this::onFrame)
        .onMessage(Event.FrameWanted.class, it -> on(core::onDemand))
        .onMessage(SessionMessage.Tick.class, this::onTick)
        .onMessage(
            SessionMessage.OperationDone.class, it -> settled(() -> core.onDone(it.answer())))
        .onMessage(SessionMessage.LeaseFound.class, it -> settled(() -> core.onFound(it, now())))
        .onMessage(
            SessionMessage.KeepAliveResult.class,
            it -> on(() -> core.onKeptAlive(it.number(), it.answer())))
        .onMessage(SessionMessage.OpenResult.class, this::onOpened)
        .onMessage(Event.OutputReady.class, this::onStream)
        .onMessage(Event.InputReady.class, this::onBegun)
        .onMessage(Event.ClientFinished.class, it -> on(core::onFinished))
        .onMessage(Event.InvalidFrame.class, it -> on(() -> core.onInvalid(it.error())))
        .onMessage(SessionRegistry.StreamReplaced.class, it -> on(core::onReplaced))
        .onMessage(
            SessionRegistry.SessionEnded.class,
            it -> on(() -> core.onEnded(it.incarnation(), it.isRevoked())))
        .onMessage(
            SessionRegistry.ShardsMoved.class, it -> on(() -> core.onMoved(it.shards(), now())))
        .onMessage(SessionMessage.RevokeResult.class, it -> on(() -> core.onRevoked(it.outcome())))
        .onSignal(Terminated.class, terminated -> leave())
        .onSignal(PostStop.class, stopped -> stopped())
        .build();
  }

  private Behavior<CallerMessage> on(Runnable step) {
    return hasLeft ? this : settled(step);
  }

  /**
   * Handles a message that may come after the end of the stream: the actor stays until its
   * operations are done.
   */
  private Behavior<CallerMessage> settled(Runnable step) {
    step.run();
    return core.hasEnded() ? leave() : this;
  }

  private long now() {
    return node.nanoClock().getAsLong();
  }

  private Behavior<CallerMessage> onStream(Event.OutputReady opened) {
    out = opened.out();
    getContext().watch(opened.out());
    return on(core::onDemand);
  }

  private Behavior<CallerMessage> onBegun(Event.InputReady begun) {
    begun.taken().tell(SessionFlow.Taken.INSTANCE);
    return this;
  }

  private Behavior<CallerMessage> onFrame(Event.FrameReceived came) {
    unanswered = came.taken();
    return on(() -> core.onFrame(came.frame(), now()));
  }

  private Behavior<CallerMessage> onTick(SessionMessage.Tick tick) {
    return settled(
        () -> {
          switch (tick) {
            case FLUSH -> core.onFlush();
            case AGAIN -> core.onTick(now());
          }
        });
  }

  private Behavior<CallerMessage> onOpened(SessionMessage.OpenResult result) {
    SessionOpener.OpenedSession opened = result.opened();
    return on(
        () -> {
          if (opened == null) {
            core.onNotOpened(CallRunner.status(result.failure()));
          } else {
            core.onOpened(opened, now());
          }
        });
  }

  private Behavior<CallerMessage> leave() {
    if (!hasLeft) {
      hasLeft = true;
      LeaseLife session = serves;
      if (session != null) {
        node.sessions().leave(session.id(), self.narrow());
      }
      core.onGone();
    }
    return core.isSettled() ? Behaviors.stopped() : this;
  }

  /** Releases all quotas, also after a failure of the actor. */
  private Behavior<CallerMessage> stopped() {
    var unused = leave();
    core.onStopped();
    intake.close();
    node.sessions().ended();
    return this;
  }

  // ------------------------------------------------------------------ effects

  @Override
  public void requireServing() {
    node.calls().requireServing();
  }

  @Override
  public boolean isLeaving() {
    return node.isLeaving();
  }

  @Override
  public void open(SessionOpen request) {
    getContext().pipeToSelf(node.opening().open(request, caller), SessionMessage.OpenResult::new);
  }

  @Override
  public void join(LeaseLife session) {
    serves = session;
    node.sessions().join(session.id(), self.narrow());
  }

  @Override
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    node.locks().tell(key, messages);
  }

  @Override
  public void tell(LockKey key, LockMessage.Handle message) {
    node.locks().tell(key, message);
  }

  @Override
  public void find(LockKey key, long number, LockRequest request) {
    getContext()
        .pipeToSelf(
            node.lifetimes().shared(request),
            (life, failure) -> new SessionMessage.LeaseFound(key, number, request, life, failure));
  }

  @Override
  public void renew(LockKey key, long number, RenewRequest request, Renewal renewal) {
    done(
        number,
        node.locks()
            .renew(renewal)
            .thenApply(
                answer ->
                    Answer.newBuilder().setRenew(node.writer().renewed(key, request, answer))));
  }

  @Override
  public void get(long number, GetLockRequest request) {
    done(
        number,
        node.reads()
            .get(request)
            .thenApply(
                response ->
                    Answer.newBuilder()
                        .setRevision(response.getHeader().getRevision())
                        .setGetLock(response.toBuilder().clearHeader())));
  }

  @Override
  public void validate(long number, ValidateRequest request) {
    done(
        number,
        node.reads()
            .validate(request)
            .thenApply(
                response ->
                    Answer.newBuilder()
                        .setRevision(response.getHeader().getRevision())
                        .setValidate(response.toBuilder().clearHeader())));
  }

  private void done(long number, CompletionStage<Answer.Builder> answering) {
    getContext()
        .pipeToSelf(
            answering,
            (answer, failure) ->
                new SessionMessage.OperationDone(
                    answer == null
                        ? SessionOperations.refused(number, CallRunner.status(failure))
                        : answer.setNumber(number)));
  }

  @Override
  public void keepAlive(long number, LeaseLife session) {
    getContext()
        .pipeToSelf(
            node.locks().renew(new Renewal.OfLease(session.id(), session.incarnation())),
            (answer, failure) -> new SessionMessage.KeepAliveResult(number, answer));
  }

  @Override
  public void revoke(LeaseLife session) {
    RequestId id = new RequestId.Once(ClientId.NAMELESS, node.random().getAsLong());
    LeaseCommand revoke =
        new LeaseCommand.Revoke(new RequestHeader(id, ContentHash.ANY), session.incarnation());
    getContext()
        .pipeToSelf(
            node.locks().handle(session.id(), revoke),
            (LeaseAnswer answer, Throwable failure) ->
                new SessionMessage.RevokeResult(answer == null ? null : answer.outcome()));
  }

  @Override
  public void flushSoon() {
    self.tell(SessionMessage.Tick.FLUSH);
  }

  @Override
  public void give(SessionResponse frame) {
    tell(new Out.Frame(frame));
  }

  @Override
  public void begun() {
    intake.begun();
  }

  @Override
  public void take() {
    ActorRef<SessionFlow.Taken> waiting = unanswered;
    if (waiting != null) {
      unanswered = null;
      waiting.tell(SessionFlow.Taken.INSTANCE);
    }
  }

  @Override
  public void end(@Nullable StatusRuntimeException error) {
    tell(error == null ? new Out.End() : new Out.Failure(error));
  }

  private void tell(Out what) {
    ActorRef<Out> to = out;
    if (to != null) {
      to.tell(what);
    }
  }

  @Override
  public Quota.@Nullable Full fullOfOpen(int more) {
    return node.operations().full(caller, more, /* reserve= */ 0);
  }

  @Override
  public boolean hasRoomForAnswers() {
    return node.unread().full(caller, 0, /* reserve= */ 0) == null;
  }

  @Override
  public void countUnread(int more) {
    node.unread().count(caller, more);
  }

  @Override
  public boolean hasRoomToWait() {
    return intake.hasRoom();
  }

  @Override
  public void countWaiting(int more) {
    intake.count(more);
  }

  @Override
  public boolean hasRoom(int more, boolean goesFirst) {
    return node.commands().hasRoom(caller, more, goesFirst);
  }

  @Override
  public void count(int open, int underWay) {
    node.operations().count(caller, open);
    node.commands().count(caller, underWay);
  }
}
