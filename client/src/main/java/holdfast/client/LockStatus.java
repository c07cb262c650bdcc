package holdfast.client;

import holdfast.v1.LockRecord;
import java.time.Duration;
import java.util.List;

/** What a lock was when it was read. It may be different by the time this is looked at. */
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

  /** One who holds it. */
  public record Holder(long fencingToken, String clientId, String holderId, Duration ttl) {}
}
