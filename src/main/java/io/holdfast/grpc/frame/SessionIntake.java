package io.holdfast.grpc.frame;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The room for the frames of one session's stream: a frame counts from when it is let in, before
 * anyone decodes it, until it has begun, and then those of its operations that wait to begin. Safe
 * for use by many threads.
 */
public final class SessionIntake {

  /** Bytes of memory that one byte of a frame may take when it is decoded. */
  static final int DECODED = 24;

  /** A frame that is no larger is let in without room: keepalives come by such. */
  static final int SMALL = 256;

  /** A frame that has found no room so often is refused. */
  static final int LOOKS = 200;

  private final Quota frames;
  private final Quota unread;
  private final Caller caller;
  private final Deque<Integer> inHand = new ArrayDeque<>(2);
  private int looks;
  private boolean isClosed;

  /**
   * No frame is there.
   *
   * @param frames bytes that may be in hand, or wait to begin
   * @param unread bytes of answers
   */
  public SessionIntake(Quota frames, Quota unread, Caller caller) {
    this.frames = frames;
    this.unread = unread;
    this.caller = caller;
  }

  /** The connection of the stream. */
  public Caller caller() {
    return caller;
  }

  /** True if more operations may wait to begin. */
  public boolean hasRoom() {
    return frames.full(caller, 0, /* reserve= */ 0) == null;
  }

  /**
   * Lets a frame of this size in; false if there is no room, and then it is to be asked again.
   *
   * @throws StatusRuntimeException if that was so for very long
   */
  public synchronized boolean letsIn(int size) {
    if (size > SMALL && !(hasRoom() && unread.full(caller, 0, /* reserve= */ 0) == null)) {
      looks++;
      if (looks >= LOOKS) {
        throw StatusMapping.error(
            Reason.REASON_OVERLOADED,
            "there was no room for a frame of [%d] bytes".formatted(size));
      }
      return false;
    }
    looks = 0;
    if (!isClosed) {
      int decoded = size * DECODED;
      inHand.add(decoded);
      frames.count(caller, decoded);
    }
    return true;
  }

  /** The first frame that was let in has begun. */
  public synchronized void begun() {
    Integer first = inHand.poll();
    if (first != null) {
      frames.give(caller, first);
    }
  }

  /** So many more bytes wait to begin, or fewer. */
  public void count(int more) {
    frames.count(caller, more);
  }

  /** The stream is forgotten: no frame counts any more. */
  public synchronized void close() {
    isClosed = true;
    while (!inHand.isEmpty()) {
      begun();
    }
  }
}
