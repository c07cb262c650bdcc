package io.holdfast.grpc.session;

import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Reason;
import java.time.Duration;

/**
 * The backpressure of one session stream: bounds the answers that its client has not read. When the
 * node has no memory left for answers, locks and reads wait; keepalives, renewals and releases go
 * on.
 */
final class AnswerBackpressure {

  /**
   * The limit of bytes of answers, unread and expected. Above it the stream starts no operation and
   * takes no frame.
   */
  private static final int MAX_UNREAD = 256 << 10;

  /** The limit of bytes of delayed operations. Above it the stream takes no frame. */
  private static final int MAX_WAITING = 512 << 10;

  /** The bytes of each that a stream may have even when the node is full. */
  private static final int ALWAYS_UNREAD = 8 << 10;

  /** The time within which a client must take an answer while the node is full. */
  private static final long TAKES_WITHIN = Duration.ofSeconds(20).toNanos();

  private final SessionPort port;
  private final SessionOutbox out;
  private final PendingReads reads;
  private final DelayedOperations delayed;
  private int counted;
  private int countedDelayed;
  private long taken = -1;
  private long takenAt;

  AnswerBackpressure(
      SessionPort port, SessionOutbox out, PendingReads reads, DelayedOperations delayed) {
    this.port = port;
    this.out = out;
    this.reads = reads;
    this.delayed = delayed;
  }

  /** True if an operation with a large answer may start. */
  boolean mayBegin() {
    return answers() < MAX_UNREAD && port.hasRoomForAnswers();
  }

  /**
   * True if the stream may take the next frame: neither unread answers nor delayed operations
   * exceed their limits.
   */
  boolean mayTakeFrame() {
    if (!port.hasRoomForAnswers()) {
      return answers() < ALWAYS_UNREAD; // requireToWait bounds the delayed operations then
    }
    return answers() < MAX_UNREAD
        && delayed.bytes() < (port.hasRoomToWait() ? MAX_WAITING : ALWAYS_UNREAD);
  }

  private int answers() {
    return out.bytes() + reads.bytes();
  }

  /**
   * Refuses to delay one more operation if the node is full. Frames are still taken then, for their
   * keepalives, so that few operations may wait.
   *
   * @throws io.grpc.StatusRuntimeException if as many bytes wait already
   */
  void requireToWait() {
    if (delayed.bytes() >= ALWAYS_UNREAD && !port.hasRoomForAnswers()) {
      throw StatusMapping.error(
          Reason.REASON_OVERLOADED, "the node has no room for more unread answers");
    }
  }

  /** True if the client has taken no answer for too long while the node is full. */
  boolean isTooSlow(long now) {
    if (out.bytes() == 0 || out.taken() != taken || port.hasRoomForAnswers()) {
      taken = out.taken();
      takenAt = now;
    }
    return now - takenAt > TAKES_WITHIN;
  }

  /** Returns the answer, or a shorter one if the node is full. */
  Answer.Builder shortenedIfFull(Answer.Builder answer) {
    return !ShortAnswer.isNeeded(answer) || port.hasRoomForAnswers()
        ? answer
        : ShortAnswer.of(answer);
  }

  /** Reports the changes of both byte counts to the node. */
  void count() {
    int now = out.bytes();
    if (now != counted) {
      port.countUnread(now - counted);
      counted = now;
    }
    int nowDelayed = delayed.bytes();
    if (nowDelayed != countedDelayed) {
      port.countWaiting(nowDelayed - countedDelayed);
      countedDelayed = nowDelayed;
    }
  }
}
