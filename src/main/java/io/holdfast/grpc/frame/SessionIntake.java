package io.holdfast.grpc.frame;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Admission control for the frames of one session stream. A frame counts from its admission, before
 * it is decoded, until its operations have started; delayed operations count until they start. Safe
 * for use by many threads.
 */
public final class SessionIntake {

  /** The bytes of memory that one byte of a frame may take after decoding. */
  static final int DECODED = 24;

  /** A frame up to this size is admitted without room: keepalives come in small frames. */
  static final int SMALL = 256;

  /** The number of attempts after which a frame without room is refused. */
  static final int LOOKS = 200;

  private final Quota frames;
  private final Quota unread;
  private final ClientConnection caller;
  private final Deque<Integer> inHand = new ArrayDeque<>(2);
  private int looks;
  private boolean isClosed;

  /**
   * Creates the intake of a stream.
   *
   * @param frames the quota of bytes of frames and delayed operations
   * @param unread the quota of bytes of unread answers
   */
  public SessionIntake(Quota frames, Quota unread, ClientConnection caller) {
    this.frames = frames;
    this.unread = unread;
    this.caller = caller;
  }

  /** Returns the connection of the stream. */
  public ClientConnection caller() {
    return caller;
  }

  /** True if more operations may be delayed. */
  public boolean hasRoom() {
    return frames.full(caller, 0, /* reserve= */ 0) == null;
  }

  /**
   * Admits a frame of this size; false if there is no room yet, and the caller must try again.
   *
   * @throws StatusRuntimeException after too many attempts
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

  /** Stops counting the oldest admitted frame: its operations have started or are delayed. */
  public synchronized void begun() {
    Integer first = inHand.poll();
    if (first != null) {
      frames.give(caller, first);
    }
  }

  /** Changes the count of bytes of delayed operations by {@code more}, which may be negative. */
  public void count(int more) {
    frames.count(caller, more);
  }

  /** Stops counting all frames: the stream has ended. */
  public synchronized void close() {
    isClosed = true;
    while (!inHand.isEmpty()) {
      begun();
    }
  }
}
