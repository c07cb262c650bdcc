package io.holdfast.grpc.session;

import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Answer;
import io.holdfast.v1.Reason;
import java.time.Duration;

/**
 * The room that one stream of a session has for answers which its client has not read. Others may
 * have used up what there is: then no lock is asked for and none is read, while signs of life and
 * releases go on.
 */
final class AnswerRoom {

  /** With so many bytes unread, or to be read, nothing is begun and no frame taken. */
  private static final int MAX_UNREAD = 256 << 10;

  /** With so many bytes that wait to begin no frame is taken. */
  private static final int MAX_WAITING = 512 << 10;

  /** So many there may be of each, however many others have. */
  private static final int ALWAYS_UNREAD = 8 << 10;

  /** Within this a client takes some of its answers, while there is no room. */
  private static final long TAKES_WITHIN = Duration.ofSeconds(20).toNanos();

  private final SessionPort port;
  private final SessionOutbox out;
  private final ExpectedReads reads;
  private final DelayedOperations later;
  private int counted;
  private int countedLater;
  private long taken = -1;
  private long takenAt;

  AnswerRoom(SessionPort port, SessionOutbox out, ExpectedReads reads, DelayedOperations later) {
    this.port = port;
    this.out = out;
    this.reads = reads;
    this.later = later;
  }

  /** True if an operation with a large answer may begin. */
  boolean mayBegin() {
    return answers() < MAX_UNREAD && port.hasRoomForAnswers();
  }

  /** True if the next frame may be taken: too much is neither unread nor waiting to begin. */
  boolean mayTakeFrame() {
    if (!port.hasRoomForAnswers()) {
      return answers() < ALWAYS_UNREAD; // what has not begun has a bound of its own then
    }
    return answers() < MAX_UNREAD
        && later.bytes() < (port.hasRoomToWait() ? MAX_WAITING : ALWAYS_UNREAD);
  }

  private int answers() {
    return out.bytes() + reads.bytes();
  }

  /**
   * While there is no room, frames come for their signs of life: little else may wait to begin.
   *
   * @throws io.grpc.StatusRuntimeException if as much waits
   */
  void requireToWait() {
    if (later.bytes() >= ALWAYS_UNREAD && !port.hasRoomForAnswers()) {
      throw StatusMapping.error(Reason.REASON_OVERLOADED, "there is no room for answers");
    }
  }

  /** True if the client has left its answers for too long while there is no room for others. */
  boolean isTooSlow(long now) {
    if (out.bytes() == 0 || out.taken() != taken || port.hasRoomForAnswers()) {
      taken = out.taken();
      takenAt = now;
    }
    return now - takenAt > TAKES_WITHIN;
  }

  /** The answer, or a shorter one if there is no room. */
  Answer.Builder fitting(Answer.Builder answer) {
    return !ShortAnswer.isNeeded(answer) || port.hasRoomForAnswers()
        ? answer
        : ShortAnswer.of(answer);
  }

  /** Tells the node how many more bytes or fewer it has than when it was told last. */
  void count() {
    int now = out.bytes();
    if (now != counted) {
      port.countUnread(now - counted);
      counted = now;
    }
    int nowLater = later.bytes();
    if (nowLater != countedLater) {
      port.countWaiting(nowLater - countedLater);
      countedLater = nowLater;
    }
  }
}
