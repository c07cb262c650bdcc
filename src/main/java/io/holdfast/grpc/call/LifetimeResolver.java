package io.holdfast.grpc.call;

import io.holdfast.grpc.translate.RefusalTranslator;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.Lifetime;
import io.holdfast.v1.LockRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Resolves the lifetime of a future holder: its own ttl, or the ttl of a shared lease, which it
 * looks up.
 */
public final class LifetimeResolver {

  /** Reads a shared lease that is alive. */
  @FunctionalInterface
  public interface LeaseLookup {
    CompletionStage<Optional<LeaseDetails>> lease(LeaseId id, boolean linearizable);
  }

  private final LeaseLookup lookup;

  public LifetimeResolver(LeaseLookup lookup) {
    this.lookup = lookup;
  }

  /** Resolves the lifetime of a request outside of a session. */
  CompletionStage<Lifetime> of(LockRequest request) {
    return switch (request.getLifeCase()) {
      case TTL_MS -> {
        if (request.getLeaseIncarnation() != 0) {
          throw RequestReader.notAllowed(
              "lease_incarnation", "lease_incarnation is not allowed without lease_id");
        }
        yield CompletableFuture.completedFuture(
            new Lifetime.Own(RequestReader.ttl(request.getTtlMs())));
      }
      case LEASE_ID -> shared(request);
      case LIFE_NOT_SET -> throw RequestReader.required("ttl_ms");
    };
  }

  /** Looks up the shared lease that a request names. */
  public CompletionStage<Lifetime> shared(LockRequest request) {
    LeaseId lease = new LeaseId(RequestReader.atLeast("lease_id", request.getLeaseId(), 1));
    Revision meant =
        new Revision(RequestReader.atLeast("lease_incarnation", request.getLeaseIncarnation(), 0));
    return find(lease, view -> meant.equals(Revision.NONE) || meant.equals(view.incarnation()))
        .thenApply(found -> found.orElseThrow(() -> RefusalTranslator.leaseNotFound(lease)))
        .thenApply(
            view ->
                new Lifetime.Shared(
                    LeaseLife.of(view.id(), view.incarnation()), view.terms().ttl()));
  }

  /** Looks up a lease that is alive. */
  public CompletionStage<Optional<LeaseDetails>> find(LeaseId lease) {
    return find(lease, view -> true);
  }

  /**
   * Reads the lease locally first. If this node does not know it, or only an earlier incarnation,
   * it reads linearizably: the lease may be new.
   */
  private CompletionStage<Optional<LeaseDetails>> find(
      LeaseId lease, Predicate<LeaseDetails> isMeant) {
    return lookup
        .lease(lease, /* linearizable= */ false)
        .thenCompose(
            found ->
                found.filter(isMeant).isPresent()
                    ? CompletableFuture.completedFuture(found)
                    : lookup
                        .lease(lease, /* linearizable= */ true)
                        .thenApply(now -> now.filter(isMeant)));
  }
}
