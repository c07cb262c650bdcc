package io.holdfast.client;

import io.holdfast.v1.LockRecord;
import java.time.Duration;
import java.util.List;

/** A lock as it was when it was read. It may have changed since. */
public record LockStatus(String key, List<Holder> holders, int waiterCount) {

  public LockStatus {
    holders = List.copyOf(holders);
  }

  static LockStatus of(String key, LockRecord lock, int waiterCount) {
    List<Holder> holders =
        lock.getHoldersList().stream()
            .map(
                holder ->
                    new Holder(
                        holder.getFencingToken(),
                        holder.getClientId(),
                        holder.getHolderId(),
                        Duration.ofMillis(holder.getGrantedTtlMs())))
            .toList();
    return new LockStatus(key, holders, waiterCount);
  }

  public boolean isFree() {
    return holders.isEmpty();
  }

  /** A holder of the lock. */
  public record Holder(long fencingToken, String clientId, String holderId, Duration ttl) {}
}
