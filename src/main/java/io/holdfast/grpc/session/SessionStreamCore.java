package io.holdfast.grpc.session;

import akka.actor.typed.ActorRef;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.SessionStreamSettings;
import io.holdfast.grpc.translate.AnswerWriter;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
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
 * The rules of one stream of a session: opens the session, takes the client's frames, passes their
 * operations to {@link SessionOperations}, and sends the answers in as few frames as the client's
 * pace allows. The session outlives its streams.
 *
 * <p>It has no clock, thread or actor. Each method handles one event; the time is a parameter, in
 * nanoseconds of a monotonic clock. All effects go through the {@link SessionPort}. Not safe for
 * several threads.
 */
final class SessionStreamCore {

  /** The ticks after the end of the stream for which it waits for answers: some seconds. */
  private static final int TICKS_AFTER_END = 20;

  private final SessionPort port;
  private final AnswerWriter writer;
  private final SessionOutbox out;
  private final Function<SessionOpener.OpenedSession, SessionOperations> createOperations;
  private @Nullable SessionOperations operations;
  private @Nullable SessionRequest first;
  private boolean isFlushing;
  private boolean isTaken = true;
  private boolean isClosing;
  private boolean isClosed;
  private boolean isFinished;
  private boolean leavingSent;
  private boolean hasEnded;
  private int ticksSinceEnd;

  /**
   * Creates the core of a stream that has received no frame.
   *
   * @param replyTo receives the answers of locks
   */
  SessionStreamCore(
      SessionPort port,
      AnswerWriter writer,
      ShardMap shards,
      SessionStreamSettings bounds,
      ActorRef<LockAnswer> replyTo) {
    this.port = port;
    this.writer = writer;
    out = new SessionOutbox(writer, shards);
    createOperations =
        opened ->
            new SessionOperations(
                port,
                writer,
                shards,
                bounds,
                new OperationTranslator(opened.client(), opened.life()),
                out,
                new SessionOperations.AnswerRoute(replyTo, this::give));
  }

  /** True if the stream has ended. */
  boolean hasEnded() {
    return hasEnded;
  }

  // ------------------------------------------------------------------ the stream

  /** Handles a frame from the client. The next frame comes after this one is taken. */
  void onFrame(SessionRequest frame, long now) {
    isTaken = false;
    try {
      SessionFrameRules.requireValid(frame);
      SessionOperations current = operations;
      if (current == null) {
        open(frame); // the next frame comes after the session is open
        return;
      } else if (frame.hasOpen()) {
        throw SessionFrameRules.invalid("only the first frame may have [open]");
      }
      run(current, frame, now);
      take();
    } catch (StatusRuntimeException e) {
      fail(e);
    }
  }

  /** Handles the client's demand for one frame. */
  void onDemand() {
    out.onDemand();
    sendFrame();
  }

  /** Handles the end of the client's frames. Open operations are still answered. */
  void onFinished() {
    isFinished = true;
    endOnceTaken();
  }

  /** Ends the stream because the client sent an invalid frame. Nothing in it is executed. */
  void onInvalid(StatusRuntimeException error) {
    fail(error);
  }

  /** Ends the stream when all is answered and the connection has taken the last frame. */
  private void endOnceTaken() {
    SessionOperations current = operations;
    boolean isAnswered =
        isFinished && first == null && (current == null || current.isDone()) && out.isEmpty();
    if ((isClosed || isAnswered) && !out.isGiven()) {
      end(null);
    }
  }

  // ------------------------------------------------------------------ the session

  private void open(SessionRequest frame) {
    if (!frame.hasOpen()) {
      throw SessionFrameRules.invalid("the first frame must have [open]");
    } else if (first != null) {
      throw SessionFrameRules.invalid("the session is being opened");
    }
    first = frame;
    port.open(frame.getOpen());
  }

  /** Handles the opened session. */
  void onOpened(SessionOpener.OpenedSession opened, long now) {
    SessionRequest frame = first;
    if (frame == null) {
      throw new IllegalStateException("a session was opened without a frame");
    }
    SessionOperations begun = createOperations.apply(opened);
    operations = begun;
    first = null;
    port.join(opened.life().on());
    out.begin(opened.message());
    run(begun, frame, now);
    take();
    flushSoon();
  }

  /** Ends the stream because the session could not be opened. */
  void onNotOpened(StatusRuntimeException error) {
    fail(error);
  }

  private void run(SessionOperations current, SessionRequest frame, long now) {
    current.lowestOpen(frame.getLowestOpenNumber());
    if (frame.getKeepAliveNumber() > 0) {
      port.keepAlive(frame.getKeepAliveNumber(), current.session().lease());
    }
    current.begin(frame.getOperationsList(), now);
    isClosing |= frame.getClose();
    port.begun();
    closeOnceDecided();
  }

  private SessionOperations operations() {
    SessionOperations current = operations;
    if (current == null) {
      throw new IllegalStateException("an answer without a session");
    }
    return current;
  }

  /** Handles the answer of a lock, even after the end of the stream: see {@link #isSettled}. */
  void onAnswer(LockAnswer answer, long now) {
    operations().onAnswer(answer, now);
    closeOnceDecided();
  }

  /** Handles the answer to a read or a renewal. */
  void onDone(Answer.Builder answer) {
    operations().onDone(answer);
    closeOnceDecided();
  }

  /** Handles the result of a lookup of a shared lease. */
  void onFound(SessionMessage.LeaseFound found, long now) {
    if (hasEnded) {
      operations().onDone(Answer.newBuilder()); // the client is gone: do not request the lock
      return;
    }
    operations().onFound(found, now);
    closeOnceDecided();
  }

  /** Handles a change of the owners of these shards. */
  void onMoved(Set<ShardId> moved, long now) {
    SessionOperations current = operations;
    if (current != null) {
      current.onMoved(moved, now);
    }
  }

  /**
   * Handles the result of a keepalive.
   *
   * @param answer null if the result is unknown: then the keepalive is not acknowledged
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
    SessionOperations current = operations;
    if (!hasEnded && isClosing && current != null && current.isDecided()) {
      isClosing = false;
      port.revoke(current.session().lease());
    }
  }

  /**
   * Handles the result of the request to end the session. Without a confirmation the request is
   * repeated at a later tick: ending a large session takes time.
   */
  void onRevoked(@Nullable LeaseOutcome outcome) {
    boolean isOver =
        outcome instanceof LeaseOutcome.Ended
            || new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND).equals(outcome);
    isClosing = !isOver; // repeated at the next tick
    if (isOver) {
      close();
    }
  }

  /** Handles the end of this incarnation of the session in the log. */
  void onEnded(Revision incarnation, boolean isRevoked) {
    SessionOperations current = operations;
    if (current == null || !current.session().lease().incarnation().equals(incarnation)) {
      return;
    } else if (isRevoked) {
      close();
    } else {
      fail(notFound());
    }
  }

  private void close() {
    out.frame().setClosed(true);
    sendFrame();
  }

  /** Ends the stream because a newer stream of this node serves the session. */
  void onReplaced() {
    fail(
        StatusMapping.error(
            Reason.REASON_SESSION_REPLACED, "a newer stream of this session took over"));
  }

  // ------------------------------------------------------------------ output

  private void give(Answer.Builder answer) {
    if (!hasEnded) {
      out.give(answer.build());
      flushSoon();
    }
  }

  /*
   * Answers that come close together go out in one frame. Each answer only requests a flush. The flush
   * is handled after the messages that have come by then, and sends one frame if the client has demand.
   */
  private void flushSoon() {
    if (!isFlushing) {
      isFlushing = true;
      port.flushSoon();
    }
  }

  /** Sends a frame: all messages that had come before the request for a flush are handled. */
  void onFlush() {
    isFlushing = false;
    if (!hasEnded) {
      sendFrame();
    }
  }

  /** Handles a tick of the timer. */
  void onTick(long now) {
    SessionOperations current = operations;
    if (current == null) {
      return;
    } else if (hasEnded) {
      ticksSinceEnd++;
      return;
    } else if (current.backpressure().isTooSlow(now)) {
      fail(
          StatusMapping.error(
              Reason.REASON_OVERLOADED,
              "the client does not read its answers, and the node is full"));
      return;
    }
    current.onTick(now);
    take();
    closeOnceDecided();
    if (port.isLeaving() && !leavingSent) {
      leavingSent = true;
      out.frame().setLeaving(true);
      sendFrame();
    } else if (out.hasNewOwners()) {
      sendFrame();
    }
  }

  /** Sends the client a frame if it has demand and there is something to send. */
  private void sendFrame() {
    SessionResponse frame = isClosed ? null : out.take();
    if (frame != null) {
      isClosed = frame.getClosed();
      port.give(frame);
    }
    SessionOperations current = operations;
    if (current != null) {
      current.startDelayed();
    }
    take();
    endOnceTaken();
  }

  /** Requests the next frame when the last one has started, unless too much is unread. */
  private void take() {
    SessionOperations current = operations;
    if (!isTaken && current != null && current.backpressure().mayTakeFrame()) {
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

  /** Handles the end of the stream, by either side. Queued operations are no longer open. */
  void onGone() {
    hasEnded = true;
    SessionOperations current = operations;
    out.clear();
    if (current != null) {
      current.end();
    }
  }

  /**
   * True if no operation of the ended stream is in progress, or if their answers are overdue. Until
   * then they count against the quotas of the node.
   */
  boolean isSettled() {
    SessionOperations current = operations;
    return hasEnded && (current == null || current.isDecided() || ticksSinceEnd >= TICKS_AFTER_END);
  }

  /** Releases all quotas of the stream; operations in progress count no longer. */
  void onStopped() {
    SessionOperations current = operations;
    if (current != null) {
      current.forget();
    }
  }
}
