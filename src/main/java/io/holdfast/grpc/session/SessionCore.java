package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one stream of a session at its node: it opens the session, takes its frames, has
 * their operations done by its {@link SessionWork}, and gives the answers back in as few frames as
 * the client's pace allows. It belongs to the stream: the session outlives it.
 *
 * <p>It has no clock, thread or actor. Each method is one thing that happens, with the time of a
 * monotonic clock in nanoseconds where that counts; what is to be done goes out by its {@link
 * SessionPort}. Not safe for several threads.
 */
final class SessionCore {

  /** So often it is looked for answers when the stream has ended: some seconds. */
  private static final int LOOKS_AFTER_END = 20;

  private final SessionPort port;
  private final AnswerWriter writer;
  private final SessionOutbox out;
  private final Function<SessionOpening.Opened, SessionWork> begins;
  private @Nullable SessionWork work;
  private @Nullable SessionRequest first;
  private boolean isFlushing;
  private boolean isTaken = true;
  private boolean isClosing;
  private boolean isClosed;
  private boolean isFinished;
  private boolean toldLeaving;
  private boolean hasEnded;
  private int looksSinceEnd;

  /**
   * A stream of which no frame has come.
   *
   * @param replyTo where locks answer
   */
  SessionCore(
      SessionPort port,
      AnswerWriter writer,
      ShardMap shards,
      SessionStreamSettings bounds,
      ActorRef<LockAnswer> replyTo) {
    this.port = port;
    this.writer = writer;
    out = new SessionOutbox(writer, shards);
    begins =
        opened ->
            new SessionWork(
                port,
                writer,
                shards,
                bounds,
                new SessionOperations(opened.client(), opened.life()),
                out,
                new SessionWork.Answers(replyTo, this::give));
  }

  /** Whether the stream is over. */
  boolean hasEnded() {
    return hasEnded;
  }

  // ------------------------------------------------------------------ the stream

  /** A frame came. The next one is let in when this one is taken. */
  void onFrame(SessionRequest frame, long now) {
    isTaken = false;
    try {
      SessionFrames.requireValid(frame);
      SessionWork current = work;
      if (current == null) {
        open(frame); // the next frame comes when it is open
        return;
      } else if (frame.hasOpen()) {
        throw SessionFrames.invalid("only the first frame may have [open]");
      }
      run(current, frame, now);
      take();
    } catch (StatusRuntimeException e) {
      fail(e);
    }
  }

  /** The client can take a frame. */
  void onWanted() {
    out.wanted();
    speak();
  }

  /** The client sends no more. What is open still gets its answer, while the stream is read. */
  void onFinished() {
    isFinished = true;
    endOnceTaken();
  }

  /** What came is no frame: nothing of it is done. */
  void onInvalid(StatusRuntimeException error) {
    fail(error);
  }

  /** Until the connection has the last frame it counts here, and so does the stream. */
  private void endOnceTaken() {
    SessionWork current = work;
    boolean isAnswered =
        isFinished && first == null && (current == null || current.isDone()) && out.isEmpty();
    if ((isClosed || isAnswered) && !out.isGiven()) {
      end(null);
    }
  }

  // ------------------------------------------------------------------ the session

  private void open(SessionRequest frame) {
    if (!frame.hasOpen()) {
      throw SessionFrames.invalid("the first frame must have [open]");
    } else if (first != null) {
      throw SessionFrames.invalid("the session is being opened");
    }
    first = frame;
    port.open(frame.getOpen());
  }

  /** The session is open. */
  void onOpened(SessionOpening.Opened opened, long now) {
    SessionRequest frame = first;
    if (frame == null) {
      throw new IllegalStateException("a session was opened without a frame");
    }
    SessionWork begun = begins.apply(opened);
    work = begun;
    first = null;
    port.join(opened.life().on());
    out.begin(opened.message());
    run(begun, frame, now);
    take();
    flushSoon();
  }

  /** The session could not be opened. */
  void onNotOpened(StatusRuntimeException error) {
    fail(error);
  }

  private void run(SessionWork current, SessionRequest frame, long now) {
    current.lowestOpen(frame.getLowestOpenNumber());
    if (frame.getKeepAliveNumber() > 0) {
      port.keepAlive(frame.getKeepAliveNumber(), current.session().lease());
    }
    current.begin(frame.getOperationsList(), now);
    isClosing |= frame.getClose();
    port.begun();
    closeOnceDecided();
  }

  private SessionWork work() {
    SessionWork current = work;
    if (current == null) {
      throw new IllegalStateException("an answer without a session");
    }
    return current;
  }

  /** A lock has answered, maybe when the stream has ended: see {@link #isSettled}. */
  void onAnswer(LockAnswer answer, long now) {
    work().onAnswer(answer, now);
    closeOnceDecided();
  }

  /** An operation that no lock was asked for is complete. */
  void onDone(Answer.Builder answer) {
    work().onDone(answer);
    closeOnceDecided();
  }

  /** A shared lease was looked up. */
  void onFound(SessionMessage.Found found, long now) {
    if (hasEnded) {
      work().onDone(Answer.newBuilder()); // nobody wants the lock any more
      return;
    }
    work().onFound(found, now);
    closeOnceDecided();
  }

  /** These shards have come to other owners. */
  void onMoved(Set<Integer> moved, long now) {
    SessionWork current = work;
    if (current != null) {
      current.onMoved(moved, now);
    }
  }

  /**
   * A keepalive was answered.
   *
   * @param answer null if nobody could say whether it counts: then it does not
   */
  void onKeptAlive(long number, Renewal.@Nullable Answer answer) {
    if (answer == null) {
      return;
    } else if (!answer.alive()) {
      fail(notFound());
      return;
    }
    SessionResponse.Builder frame = out.frame();
    if (number > frame.getKeepAliveNumber()) {
      frame.setKeepAliveNumber(number).setGrantedTtlMs(answer.ttlMs());
    }
    flushSoon();
  }

  private static StatusRuntimeException notFound() {
    return StatusMapping.error(
        Reason.REASON_SESSION_NOT_FOUND, "the session has ended, with all its grants");
  }

  private void closeOnceDecided() {
    SessionWork current = work;
    if (!hasEnded && isClosing && current != null && current.isDecided()) {
      isClosing = false;
      port.revoke(current.session().lease());
    }
  }

  /**
   * The end of the session was answered. As long as nobody says that it has ended it may live on: a
   * large one takes its time.
   */
  void onRevoked(@Nullable LeaseOutcome outcome) {
    boolean isOver =
        outcome instanceof LeaseOutcome.Ended
            || new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND).equals(outcome);
    isClosing = !isOver; // then at the next look
    if (isOver) {
      close();
    }
  }

  /** The log has ended this incarnation of the session, because somebody wished so or not. */
  void onEnded(long incarnation, boolean isRevoked) {
    SessionWork current = work;
    if (current == null || current.session().lease().incarnation() != incarnation) {
      return;
    } else if (isRevoked) {
      close();
    } else {
      fail(notFound());
    }
  }

  private void close() {
    out.frame().setClosed(true);
    speak();
  }

  /** A newer stream of this node serves the session. */
  void onReplaced() {
    fail(
        StatusMapping.error(
            Reason.REASON_SESSION_REPLACED, "a newer stream of this session took over"));
  }

  // ------------------------------------------------------------------ what goes out

  private void give(Answer.Builder answer) {
    if (!hasEnded) {
      out.give(answer.build());
      flushSoon();
    }
  }

  /*
   * Answers that come close together go out in one frame: each only asks for a flush, which comes
   * behind whatever else has come, and a frame is made then, if the client wants one.
   */
  private void flushSoon() {
    if (!isFlushing) {
      isFlushing = true;
      port.flushSoon();
    }
  }

  /** Whatever had come when the flush was asked for has been read. */
  void onFlush() {
    isFlushing = false;
    if (!hasEnded) {
      speak();
    }
  }

  /** Some time has passed. */
  void onTick(long now) {
    SessionWork current = work;
    if (current == null) {
      return;
    } else if (hasEnded) {
      looksSinceEnd++;
      return;
    } else if (current.room().isTooSlow(now)) {
      fail(
          StatusMapping.error(
              Reason.REASON_OVERLOADED, "there is no room for answers that nobody reads"));
      return;
    }
    current.onTick(now);
    take();
    closeOnceDecided();
    if (port.isLeaving() && !toldLeaving) {
      toldLeaving = true;
      out.frame().setLeaving(true);
      speak();
    } else if (out.hasNewOwners()) {
      speak();
    }
  }

  /** Gives the client what there is for it, if it wants a frame. */
  private void speak() {
    SessionResponse frame = isClosed ? null : out.take();
    if (frame != null) {
      isClosed = frame.getClosed();
      port.give(frame);
    }
    SessionWork current = work;
    if (current != null) {
      current.goOn();
    }
    take();
    endOnceTaken();
  }

  /** Lets the next frame come, when the last one has begun, unless too much is unread. */
  private void take() {
    SessionWork current = work;
    if (!isTaken && current != null && current.room().mayTakeFrame()) {
      isTaken = true;
      port.take();
    }
  }

  private void fail(StatusRuntimeException error) {
    end(StatusMapping.by(writer.header(), error));
  }

  private void end(@Nullable StatusRuntimeException error) {
    if (!hasEnded) {
      hasEnded = true;
      port.end(error);
    }
  }

  /** The stream is over, by whichever side: what waits in line is open no more. */
  void onGone() {
    hasEnded = true;
    SessionWork current = work;
    out.clear();
    if (current != null) {
      current.end();
    }
  }

  /**
   * Whether nothing is under way any more that was begun on the stream, or has not been answered
   * for so long that nobody does the work. Until then it counts, though the stream has ended.
   */
  boolean isSettled() {
    SessionWork current = work;
    return hasEnded && (current == null || current.isDecided() || looksSinceEnd >= LOOKS_AFTER_END);
  }

  /** The stream is forgotten, with whatever of it is under way. */
  void onStopped() {
    SessionWork current = work;
    if (current != null) {
      current.forget();
    }
  }
}
