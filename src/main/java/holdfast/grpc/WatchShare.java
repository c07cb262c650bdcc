package holdfast.grpc;

import holdfast.grpc.guard.Caller;
import holdfast.grpc.guard.Quota;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;

/** What one stream takes of the watches that its connection, its address and its node may have. */
final class WatchShare {

  private final Quota open;
  private final Caller caller;

  WatchShare(Quota open, Caller caller) {
    this.open = open;
    this.caller = caller;
  }

  /**
   * One more.
   *
   * @throws io.grpc.StatusRuntimeException if there are too many
   */
  void take() {
    Quota.Full full = open.take(caller, 1);
    if (full != null) {
      throw StatusMapping.error(
          Refusal.newBuilder()
              .setReason(Reason.REASON_TOO_MANY_WATCHES)
              .setMessage(
                  "the %s has its maximum of [%d] watches".formatted(full.of(), full.most()))
              .setMaximum(full.most()));
    }
  }

  /** So many fewer. */
  void give(int watches) {
    open.give(caller, watches);
  }
}
