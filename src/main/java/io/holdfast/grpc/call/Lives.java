package io.holdfast.grpc.call;

import io.holdfast.grpc.translate.RefusalWriter;
import io.holdfast.grpc.translate.RequestReader;
import io.holdfast.lock.LeaseLife;
import io.holdfast.lock.Lifetime;
import io.holdfast.sharding.LeaseDetails;
import io.holdfast.v1.LockRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** By what the holder of a lock will live: a shared lease is looked up, since its ttl counts. */
public final class Lives {

  /** Reads a shared lease that is alive. */
  @FunctionalInterface
  public interface Lookup {
    CompletionStage<Optional<LeaseDetails>> lease(long id, boolean linearizable);
  }

  private final Lookup lookup;

  public Lives(Lookup lookup) {
    this.lookup = lookup;
  }

  /** What a request outside of a session says of it. */
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

  /** The shared lease that a request names. */
  public CompletionStage<Lifetime> shared(LockRequest request) {
    long lease = RequestReader.atLeast("lease_id", request.getLeaseId(), 1);
    long meant = RequestReader.atLeast("lease_incarnation", request.getLeaseIncarnation(), 0);
    return find(lease, view -> meant == 0 || meant == view.incarnation())
        .thenApply(found -> found.orElseThrow(() -> RefusalWriter.leaseNotFound(lease)))
        .thenApply(
            view ->
                new Lifetime.Shared(
                    new LeaseLife(view.id(), view.incarnation()), view.terms().ttl()));
  }

  /** A lease that is alive. */
  public CompletionStage<Optional<LeaseDetails>> find(long lease) {
    return find(lease, view -> true);
  }

  /** One that this node does not know, or in another life, may have begun elsewhere just now. */
  private CompletionStage<Optional<LeaseDetails>> find(
      long lease, Predicate<LeaseDetails> isMeant) {
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
