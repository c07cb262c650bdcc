package io.holdfast.grpc.translate;

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

/** What is left of the time of holders and leases, as far as it is known. Only for showing. */
public final class Remaining {

  private final Function<Renewal, CompletionStage<OptionalLong>> left;

  /**
   * Knows nothing itself.
   *
   * @param left how many milliseconds a grant or a lease lives without a sign of life
   */
  public Remaining(Function<Renewal, CompletionStage<OptionalLong>> left) {
    this.left = left;
  }

  /** By what sign of life a holder goes on. */
  public static Renewal of(LockKey key, io.holdfast.lock.Holder holder) {
    return holder
        .life()
        .lease()
        .<Renewal>map(lease -> new Renewal.OfLease(lease.id(), lease.incarnation()))
        .orElseGet(() -> new Renewal.OfGrant(key, holder.token()));
  }

  /** The answer with what is left of the time of the holder that it names, if anyone knows. */
  public CompletionStage<LockResponse> complete(LockKey key, LockResponse response) {
    Holder holder = response.getHolder();
    if (!response.hasHolder() || holder.hasRemainingTtlMs()) {
      return CompletableFuture.completedFuture(response);
    }
    Renewal sign =
        holder.getLeaseId() == 0
            ? new Renewal.OfGrant(key, RequestReader.token(holder.getFencingToken()))
            : new Renewal.OfLease(holder.getLeaseId(), /* incarnation= */ 0);
    return left.apply(sign)
        .thenApply(
            millis ->
                millis.isEmpty()
                    ? response
                    : response.toBuilder()
                        .setHolder(holder.toBuilder().setRemainingTtlMs(millis.getAsLong()))
                        .build());
  }

  /** What is left of each; those of whom nobody knows are missing. They are asked together. */
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
