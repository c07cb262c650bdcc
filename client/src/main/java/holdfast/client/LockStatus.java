package holdfast.client;

import holdfast.v1.GetLockResponse;
import java.time.Duration;
import java.util.List;

/** What a lock was when it was read. It may be different by the time this is looked at. */
public record LockStatus(String key, List<Holder> holders, int waiterCount) {

  public LockStatus {
    holders = List.copyOf(holders);
  }

  static LockStatus of(String key, GetLockResponse answer) {
    List<Holder> holders =
        answer.getLock().getHoldersList().stream()
            .map(
                holder ->
                    new Holder(
                        holder.getFencingToken(),
                        holder.getClientId(),
                        holder.getHolderId(),
                        Duration.ofMillis(holder.getGrantedTtlMs())))
            .toList();
    return new LockStatus(key, holders, answer.getWaiterCount());
  }

  public boolean isFree() {
    return holders.isEmpty();
  }

  /** One who holds it. */
  public record Holder(long fencingToken, String clientId, String holderId, Duration ttl) {}
}
