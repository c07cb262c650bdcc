package io.holdfast.cli;

import io.holdfast.v1.Holder;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.WaiterRecord;
import java.util.List;
import java.util.stream.Collectors;

/** Formats a lock, its holders and its waiters. */
final class LockFields {

  private LockFields() {}

  static Fields lock(String key, LockRecord lock, List<WaiterRecord> waiters, int waiterCount) {
    return Fields.of("key", key)
        .and("holders", lock.getHoldersList().stream().map(LockFields::holder).toList())
        .and("waiterCount", waiterCount)
        .andIf(!waiters.isEmpty(), "waiters", waiters.stream().map(LockFields::waiter).toList());
  }

  private static Fields holder(Holder holder) {
    return Fields.of("fencingToken", holder.getFencingToken())
        .and("clientId", holder.getClientId())
        .and("holderId", holder.getHolderId())
        .and("ttlMs", holder.getGrantedTtlMs())
        .andIf(holder.hasRemainingTtlMs(), "remainingTtlMs", holder.getRemainingTtlMs())
        .andIf(holder.getLeaseId() != 0, "leaseId", holder.getLeaseId())
        .andIf(holder.getCount() > 1, "count", holder.getCount());
  }

  private static Fields waiter(WaiterRecord waiter) {
    return Fields.of("position", waiter.getPosition())
        .and("clientId", waiter.getClientId())
        .and("holderId", waiter.getHolderId())
        .andIf(waiter.getLeaseId() != 0, "leaseId", waiter.getLeaseId());
  }

  /** The names of the holders. */
  static String holders(LockRecord lock) {
    return lock.getHoldersList().stream()
        .map(holder -> holder.getClientId().isEmpty() ? "nameless" : holder.getClientId())
        .collect(Collectors.joining(", "));
  }

  static String tokens(LockRecord lock) {
    return lock.getHoldersList().stream()
        .map(holder -> Long.toString(holder.getFencingToken()))
        .collect(Collectors.joining(", "));
  }

  /** The time that a holder has left, as far as it is known. */
  static String left(Holder holder) {
    return holder.hasRemainingTtlMs() ? holder.getRemainingTtlMs() + " ms" : "-";
  }
}
