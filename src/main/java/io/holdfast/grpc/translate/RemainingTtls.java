package io.holdfast.grpc.translate;

import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.lock.LockKey;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LockResponse;
import io.holdfast.wire.Renewal;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The remaining ttls of holders and leases, as far as they are known. For display only. */
public final class RemainingTtls {

  private final Function<Renewal, CompletionStage<OptionalLong>> left;

  /**
   * Creates a reader of remaining ttls.
   *
   * @param left returns the milliseconds until a grant or a lease expires without a renewal
   */
  public RemainingTtls(Function<Renewal, CompletionStage<OptionalLong>> left) {
    this.left = left;
  }

  /** Returns the renewal that keeps a holder alive. */
  public static Renewal of(LockKey key, io.holdfast.lock.Holder holder) {
    return holder
        .life()
        .lease()
        .<Renewal>map(lease -> new Renewal.OfLease(lease.id(), lease.incarnation()))
        .orElseGet(() -> new Renewal.OfGrant(key, holder.token()));
  }

  /** Adds the remaining ttl of the holder in the answer, if it is known. */
  public CompletionStage<LockResponse> complete(LockKey key, LockResponse response) {
    Holder holder = response.getHolder();
    if (!response.hasHolder() || holder.hasRemainingTtlMs()) {
      return CompletableFuture.completedFuture(response);
    }
    Renewal sign =
        holder.getLeaseId() == 0
            ? new Renewal.OfGrant(key, RequestReader.token(holder.getFencingToken()))
            : new Renewal.OfLease(new LeaseId(holder.getLeaseId()), Revision.NONE);
    return left.apply(sign)
        .thenApply(
            millis ->
                millis.isEmpty()
                    ? response
                    : response.toBuilder()
                        .setHolder(holder.toBuilder().setRemainingTtlMs(millis.getAsLong()))
                        .build());
  }

  /**
   * Returns the remaining ttl of each, in milliseconds; unknown ones are missing. All are asked at
   * once.
   */
  public CompletionStage<Map<Renewal, Long>> of(Collection<Renewal> all) {
    CompletionStage<Map<Renewal, Long>> known = CompletableFuture.completedFuture(new HashMap<>());
    for (Renewal each : all) {
      CompletionStage<OptionalLong> asked = left.apply(each);
      known =
          known.thenCombine(
              asked,
              (map, answer) -> {
                answer.ifPresent(millis -> map.put(each, millis));
                return map;
              });
    }
    return known;
  }
}
