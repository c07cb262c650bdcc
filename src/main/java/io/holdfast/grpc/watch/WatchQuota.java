package io.holdfast.grpc.watch;

import io.grpc.StatusRuntimeException;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.watch.Selector;

/**
 * The watches of one stream, counted against the quotas of its connection, its address and the
 * node.
 */
final class WatchQuota {

  /** The memory of an idle watch apart from its selector, in bytes. */
  private static final int IDLE = 1_024;

  private final Quota open;
  private final Quota bytes;
  private final Quota unread;
  private final ClientConnection caller;

  WatchQuota(Quota open, Quota bytes, Quota unread, ClientConnection caller) {
    this.open = open;
    this.bytes = bytes;
    this.unread = unread;
    this.caller = caller;
  }

  /**
   * Counts a new watch.
   *
   * @return the bytes that it counts for
   * @throws io.grpc.StatusRuntimeException if there are too many, or they take too many bytes
   */
  int take(Selector selector) {
    Quota.Full full = open.take(caller, 1);
    if (full != null) {
      throw tooMany(
          full,
          "the %s has its maximum of [%d] watches by holdfast.watch"
              .formatted(full.of(), full.most()));
    }
    int size = IDLE + Character.BYTES * selector.text().length();
    Quota.Full heavy = bytes.take(caller, size);
    if (heavy != null) {
      open.give(caller, 1);
      throw tooMany(
          heavy,
          "the watches of the %s take [%d] bytes, the maximum: a part of the heap"
              .formatted(heavy.of(), heavy.most()));
    }
    return size;
  }

  private static StatusRuntimeException tooMany(Quota.Full full, String message) {
    return StatusMapping.error(
        Refusal.newBuilder()
            .setReason(Reason.REASON_TOO_MANY_WATCHES)
            .setMessage(message)
            .setMaximum(full.most()));
  }

  /** Stops counting a watch that counted for {@code size} bytes. */
  void give(int size) {
    open.give(caller, 1);
    bytes.give(caller, size);
  }

  /** True if there is room for more unread answers. */
  boolean hasRoom() {
    return unread.full(caller, 0, /* reserve= */ 0) == null;
  }
}
