package holdfast.grpc;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.PostStop;
import akka.actor.typed.Terminated;
import akka.actor.typed.javadsl.AbstractBehavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.javadsl.Receive;
import holdfast.entity.LeaseAnswer;
import holdfast.entity.LockAnswer;
import holdfast.entity.Renewal;
import holdfast.grpc.SessionFlow.Event;
import holdfast.grpc.SessionFlow.Out;
import holdfast.grpc.guard.Caller;
import holdfast.lease.LeaseCommand;
import holdfast.lease.LeaseOutcome;
import holdfast.lock.ClientId;
import holdfast.lock.Content;
import holdfast.lock.LeaseLife;
import holdfast.lock.Request;
import holdfast.lock.RequestId;
import holdfast.v1.Answer;
import holdfast.v1.Reason;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The actor of one stream of a session: it opens the session, takes its frames, has their
 * operations done by its {@link SessionWork}, and gives the answers back in as few frames as the
 * client's pace allows. It belongs to the stream: the session outlives it.
 */
final class SessionTalk extends AbstractBehavior<Object> {

  /*
   * An operation costs one message to its lock and one back. Answers that come close together go
   * out in one frame: each only sets a flag that this actor sends itself, behind whatever else has
   * come, and a frame is made when that is read and the client wants one.
   */

  private static final Duration AGAIN_EVERY = Duration.ofMillis(250);

  /** With so many answers unread no frame is taken. */
  private static final int MAX_UNREAD = 8_192;

  private enum Tick {
    FLUSH,
    AGAIN
  }

  private record KeptAlive(long number, Renewal.@Nullable Answer answer) {}

  private record OpenedAs(SessionOpening.@Nullable Opened opened, @Nullable Throwable failure) {}

  private record Revoked(@Nullable LeaseOutcome outcome, @Nullable Throwable failure) {}

  private final SessionPlace place;
  private final Caller caller;
  private final ActorRef<Object> self;
  private final SessionOutbox out;
  private boolean flushing;
  private @Nullable SessionWork work;
  private @Nullable ActorRef<SessionFlow.Taken> unanswered;
  private @Nullable SessionRequest first;
  private boolean closing;
  private boolean finished;
  private boolean toldLeaving;
  private boolean hasLeft;

  /**
   * A talk that waits for its first frame.
   *
   * @param place what a session needs of its node
   * @param caller whose stream it is
   */
  static Behavior<Object> create(SessionPlace place, Caller caller) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  timers.startTimerWithFixedDelay(Tick.AGAIN, Tick.AGAIN, AGAIN_EVERY);
                  return new SessionTalk(context, place, caller);
                }));
  }

  private SessionTalk(ActorContext<Object> context, SessionPlace place, Caller caller) {
    super(context);
    this.place = place;
    this.caller = caller;
    this.self = context.getSelf();
    this.out = new SessionOutbox(place.writer(), place.locks());
  }

  @Override
  public Receive<Object> createReceive() {
    return newReceiveBuilder()
        .onMessage(LockAnswer.class, answer -> worked(() -> work().on(answer)))
        .onMessage(Event.Came.class, this::onFrame)
        .onMessage(Event.Wanted.class, this::onWanted)
        .onMessage(Tick.class, this::onTick)
        .onMessage(SessionWork.Done.class, done -> worked(() -> work().on(done)))
        .onMessage(SessionWork.Found.class, found -> worked(() -> work().on(found)))
        .onMessage(KeptAlive.class, this::onKeptAlive)
        .onMessage(OpenedAs.class, this::onOpenedAs)
        .onMessage(Event.Opened.class, this::onStream)
        .onMessage(Event.Begun.class, this::onBegun)
        .onMessage(Event.Finished.class, this::onFinished)
        .onMessage(Sessions.Replaced.class, this::onReplaced)
        .onMessage(Sessions.Ended.class, this::onEnded)
        .onMessage(Sessions.Moved.class, it -> worked(() -> work().moved(it.shards())))
        .onMessage(Revoked.class, this::onRevoked)
        .onSignal(Terminated.class, terminated -> end())
        .onSignal(PostStop.class, stopped -> left())
        .build();
  }

  // ------------------------------------------------------------------ the stream

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
      SessionFrames.requireValid(frame);
      SessionWork current = work;
      if (current == null) {
        return open(frame); // the next frame comes when it is open
      } else if (frame.hasOpen()) {
        throw SessionFrames.invalid("only the first frame may have [open]");
      }
      run(current, frame);
      take();
      return this;
    } catch (StatusRuntimeException e) {
      return fail(e);
    }
  }

  private Behavior<Object> onWanted(Event.Wanted event) {
    out.wanted();
    return speak();
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
    SessionWork current = work;
    return first == null && (current == null || current.isDone()) && out.isEmpty();
  }

  // ------------------------------------------------------------------ the session

  private Behavior<Object> open(SessionRequest frame) {
    if (!frame.hasOpen()) {
      throw SessionFrames.invalid("the first frame must have [open]");
    } else if (first != null) {
      throw SessionFrames.invalid("the session is being opened");
    }
    first = frame;
    getContext()
        .pipeToSelf(
            place.opening().open(frame.getOpen()),
            (opened, failure) -> new OpenedAs(opened, failure));
    return this;
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
    SessionWork begun =
        new SessionWork(
            getContext(),
            place,
            caller,
            new SessionOperations(opened.client(), opened.life()),
            out,
            this::give);
    work = begun;
    first = null;
    place.sessions().join(opened.life().on().id(), self);
    out.begin(opened.message());
    run(begun, frame);
    take();
    flushSoon();
    return this;
  }

  private void run(SessionWork current, SessionRequest frame) {
    current.lowestOpen(frame.getLowestOpenNumber());
    if (frame.getKeepAliveNumber() > 0) {
      keepAlive(current.session().lease(), frame.getKeepAliveNumber());
    }
    current.begin(frame.getOperationsList());
    closing |= frame.getClose();
    closeOnceDecided();
  }

  private SessionWork work() {
    SessionWork current = work;
    if (current == null) {
      throw new IllegalStateException("an answer without a session");
    }
    return current;
  }

  private Behavior<Object> worked(Runnable step) {
    step.run();
    closeOnceDecided();
    return this;
  }

  private void keepAlive(LeaseLife lease, long number) {
    getContext()
        .pipeToSelf(
            place.locks().renew(new Renewal.OfLease(lease.id(), lease.incarnation())),
            (answer, failure) -> new KeptAlive(number, answer));
  }

  private Behavior<Object> onKeptAlive(KeptAlive kept) {
    Renewal.Answer answer = kept.answer();
    if (answer == null) {
      return this; // nobody could say so: it does not count
    } else if (!answer.alive()) {
      return fail(notFound());
    }
    SessionResponse.Builder frame = out.frame();
    if (kept.number() > frame.getKeepAliveNumber()) {
      frame.setKeepAliveNumber(kept.number()).setGrantedTtlMs(answer.ttlMs());
    }
    flushSoon();
    return this;
  }

  private static StatusRuntimeException notFound() {
    return StatusMapping.error(
        Reason.REASON_SESSION_NOT_FOUND, "the session has ended, with all its grants");
  }

  private void closeOnceDecided() {
    SessionWork current = work;
    if (closing && current != null && current.isDecided()) {
      closing = false;
      revoke(current.session().lease());
    }
  }

  private void revoke(LeaseLife lease) {
    getContext()
        .pipeToSelf(
            place
                .locks()
                .handle(
                    lease.id(),
                    new LeaseCommand.Revoke(
                        new Request(
                            new RequestId.Once(ClientId.NAMELESS, place.random().getAsLong()),
                            Content.ANY),
                        lease.incarnation())),
            (LeaseAnswer answer, Throwable failure) ->
                new Revoked(answer == null ? null : answer.outcome(), failure));
  }

  /* As long as nobody says that it has ended it may live on: a large one takes its time. */
  private Behavior<Object> onRevoked(Revoked revoked) {
    LeaseOutcome outcome = revoked.outcome();
    boolean isOver =
        outcome instanceof LeaseOutcome.Ended
            || new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND).equals(outcome);
    closing = !isOver; // then at the next look
    return isOver ? closed() : this;
  }

  /** The log has ended the session, on whatever word. */
  private Behavior<Object> onEnded(Sessions.Ended ended) {
    SessionWork current = work;
    if (current == null || current.session().lease().incarnation() != ended.incarnation()) {
      return this;
    }
    return ended.isRevoked() ? closed() : fail(notFound());
  }

  private Behavior<Object> closed() {
    out.frame().setClosed(true);
    return speak();
  }

  private Behavior<Object> onReplaced(Sessions.Replaced replaced) {
    return fail(
        StatusMapping.error(
            Reason.REASON_SESSION_REPLACED, "a newer stream of this session took over"));
  }

  // ------------------------------------------------------------------ what goes out

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

  private Behavior<Object> onTick(Tick tick) {
    SessionWork current = work;
    if (tick == Tick.FLUSH) {
      flushing = false;
      return speak();
    } else if (current == null) {
      return this;
    }
    current.askAgain();
    closeOnceDecided();
    if (place.isLeaving() && !toldLeaving) {
      toldLeaving = true;
      out.frame().setLeaving(true);
      return speak();
    }
    return out.hasNewOwners() ? speak() : this;
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
    if (waiting != null && work != null && out.unread() < MAX_UNREAD) {
      unanswered = null;
      waiting.tell(SessionFlow.Taken.INSTANCE);
    }
  }

  private Behavior<Object> fail(StatusRuntimeException error) {
    out.end(new Out.Failure(StatusMapping.by(place.writer().header(), error)));
    return end();
  }

  private Behavior<Object> end() {
    left();
    return Behaviors.stopped();
  }

  /** Gives back what it had of its node, once, also if it has failed. */
  private Behavior<Object> left() {
    if (!hasLeft) {
      hasLeft = true;
      SessionWork current = work;
      if (current != null) {
        place.sessions().leave(current.session().lease().id(), self);
        current.end();
      }
      place.sessions().ended();
    }
    return this;
  }
}
