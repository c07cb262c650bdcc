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
import io.holdfast.grpc.call.Calls;
import io.holdfast.grpc.frame.SessionIntake;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.session.SessionFlow.Event;
import io.holdfast.grpc.session.SessionFlow.Out;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.LeaseLife;
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

/** The actor of one stream of a session: it runs a {@link SessionCore}, and decides nothing. */
public final class SessionTalk extends AbstractBehavior<CallerMessage> implements SessionPort {

  private static final Duration AGAIN_EVERY = Duration.ofMillis(250);

  private final SessionPlace place;
  private final SessionIntake intake;
  private final Caller caller;
  private final ActorRef<CallerMessage> self;
  private final SessionCore core;
  private @Nullable ActorRef<Out> out;
  private @Nullable ActorRef<SessionFlow.Taken> unanswered;
  private @Nullable LeaseLife serves;
  private boolean hasLeft;

  /**
   * A talk that waits for its first frame.
   *
   * @param place what a session needs of its node
   * @param intake by which its frames come
   */
  public static Behavior<CallerMessage> create(SessionPlace place, SessionIntake intake) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  SessionMessage.Tick again = SessionMessage.Tick.AGAIN;
                  timers.startTimerWithFixedDelay(again, again, AGAIN_EVERY);
                  return new SessionTalk(context, place, intake);
                }));
  }

  private SessionTalk(
      ActorContext<CallerMessage> context, SessionPlace place, SessionIntake intake) {
    super(context);
    this.place = place;
    this.intake = intake;
    this.caller = intake.caller();
    this.self = context.getSelf();
    core = new SessionCore(this, place.writer(), place.locks(), place.settings(), self.narrow());
  }

  // ------------------------------------------------------------------ what comes

  @Override
  public Receive<CallerMessage> createReceive() {
    return newReceiveBuilder()
        .onMessage(LockAnswer.class, answer -> settled(() -> core.onAnswer(answer, now())))
        .onMessage(Event.Came.class, this::onFrame)
        .onMessage(Event.Wanted.class, it -> on(core::onWanted))
        .onMessage(SessionMessage.Tick.class, this::onTick)
        .onMessage(SessionMessage.Done.class, it -> settled(() -> core.onDone(it.answer())))
        .onMessage(SessionMessage.Found.class, it -> settled(() -> core.onFound(it, now())))
        .onMessage(
            SessionMessage.KeptAlive.class,
            it -> on(() -> core.onKeptAlive(it.number(), it.answer())))
        .onMessage(SessionMessage.Opened.class, this::onOpened)
        .onMessage(Event.Opened.class, this::onStream)
        .onMessage(Event.Begun.class, this::onBegun)
        .onMessage(Event.Finished.class, it -> on(core::onFinished))
        .onMessage(Event.Invalid.class, it -> on(() -> core.onInvalid(it.error())))
        .onMessage(Sessions.Replaced.class, it -> on(core::onReplaced))
        .onMessage(
            Sessions.Ended.class, it -> on(() -> core.onEnded(it.incarnation(), it.isRevoked())))
        .onMessage(Sessions.Moved.class, it -> on(() -> core.onMoved(it.shards(), now())))
        .onMessage(SessionMessage.Revoked.class, it -> on(() -> core.onRevoked(it.outcome())))
        .onSignal(Terminated.class, terminated -> leave())
        .onSignal(PostStop.class, stopped -> stopped())
        .build();
  }

  private Behavior<CallerMessage> on(Runnable step) {
    return hasLeft ? this : settled(step);
  }

  /** What comes also when the stream has ended: it counts until its work is done. */
  private Behavior<CallerMessage> settled(Runnable step) {
    step.run();
    return core.hasEnded() ? leave() : this;
  }

  private long now() {
    return place.nanoClock().getAsLong();
  }

  private Behavior<CallerMessage> onStream(Event.Opened opened) {
    out = opened.out();
    getContext().watch(opened.out());
    return on(core::onWanted);
  }

  private Behavior<CallerMessage> onBegun(Event.Begun begun) {
    begun.taken().tell(SessionFlow.Taken.INSTANCE);
    return this;
  }

  private Behavior<CallerMessage> onFrame(Event.Came came) {
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

  private Behavior<CallerMessage> onOpened(SessionMessage.Opened result) {
    SessionOpening.Opened opened = result.opened();
    return on(
        () -> {
          if (opened == null) {
            core.onNotOpened(Calls.status(result.failure()));
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
        place.sessions().leave(session.id(), self.narrow());
      }
      core.onGone();
    }
    return core.isSettled() ? Behaviors.stopped() : this;
  }

  /** Gives back what it had of its node, also if it has failed. */
  private Behavior<CallerMessage> stopped() {
    var unused = leave();
    core.onStopped();
    intake.close();
    place.sessions().ended();
    return this;
  }

  // ------------------------------------------------------------------ what is to be done

  @Override
  public void requireServing() {
    place.calls().requireServing();
  }

  @Override
  public boolean isLeaving() {
    return place.isLeaving();
  }

  @Override
  public void open(SessionOpen request) {
    getContext().pipeToSelf(place.opening().open(request, caller), SessionMessage.Opened::new);
  }

  @Override
  public void join(LeaseLife session) {
    serves = session;
    place.sessions().join(session.id(), self.narrow());
  }

  @Override
  public void tell(LockKey key, List<LockMessage.Handle> messages) {
    place.locks().tell(key, messages);
  }

  @Override
  public void tell(LockKey key, LockMessage.Handle message) {
    place.locks().tell(key, message);
  }

  @Override
  public void find(LockKey key, long number, LockRequest request) {
    getContext()
        .pipeToSelf(
            place.lives().shared(request),
            (life, failure) -> new SessionMessage.Found(key, number, request, life, failure));
  }

  @Override
  public void renew(LockKey key, long number, RenewRequest request, Renewal renewal) {
    done(
        number,
        place
            .locks()
            .renew(renewal)
            .thenApply(
                answer ->
                    Answer.newBuilder().setRenew(place.writer().renewed(key, request, answer))));
  }

  @Override
  public void get(long number, GetLockRequest request) {
    done(
        number,
        place
            .reads()
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
        place
            .reads()
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
                new SessionMessage.Done(
                    answer == null
                        ? SessionWork.refused(number, Calls.status(failure))
                        : answer.setNumber(number)));
  }

  @Override
  public void keepAlive(long number, LeaseLife session) {
    getContext()
        .pipeToSelf(
            place.locks().renew(new Renewal.OfLease(session.id(), session.incarnation())),
            (answer, failure) -> new SessionMessage.KeptAlive(number, answer));
  }

  @Override
  public void revoke(LeaseLife session) {
    RequestId id = new RequestId.Once(ClientId.NAMELESS, place.random().getAsLong());
    LeaseCommand revoke =
        new LeaseCommand.Revoke(new RequestHeader(id, ContentHash.ANY), session.incarnation());
    getContext()
        .pipeToSelf(
            place.locks().handle(session.id(), revoke),
            (LeaseAnswer answer, Throwable failure) ->
                new SessionMessage.Revoked(answer == null ? null : answer.outcome()));
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
    return place.operations().full(caller, more, /* reserve= */ 0);
  }

  @Override
  public boolean hasRoomForAnswers() {
    return place.unread().full(caller, 0, /* reserve= */ 0) == null;
  }

  @Override
  public void countUnread(int more) {
    place.unread().count(caller, more);
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
    return place.commands().hasRoom(caller, more, goesFirst);
  }

  @Override
  public void count(int open, int underWay) {
    place.operations().count(caller, open);
    place.commands().count(caller, underWay);
  }
}
