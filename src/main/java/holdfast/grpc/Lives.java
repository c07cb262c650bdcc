package holdfast.grpc;

import holdfast.entity.LeaseView;
import holdfast.entity.LockReads;
import holdfast.lock.LeaseLife;
import holdfast.lock.Life;
import holdfast.v1.LockRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** By what the holder of a lock will live: a shared lease is looked up, since its ttl counts. */
final class Lives {

  private final LockReads reads;

  Lives(LockReads reads) {
    this.reads = reads;
  }

  /** What a request outside of a session says of it. */
  CompletionStage<Life> of(LockRequest request) {
    return switch (request.getLifeCase()) {
      case TTL_MS -> {
        if (request.getLeaseIncarnation() != 0) {
          throw RequestReader.notAllowed(
              "lease_incarnation", "lease_incarnation is not allowed without lease_id");
        }
        yield CompletableFuture.completedFuture(
            new Life.Own(RequestReader.ttl(request.getTtlMs())));
      }
      case LEASE_ID -> shared(request);
      case LIFE_NOT_SET -> throw RequestReader.required("ttl_ms");
    };
  }

  /** The shared lease that a request names. */
  CompletionStage<Life> shared(LockRequest request) {
    long lease = RequestReader.atLeast("lease_id", request.getLeaseId(), 1);
    long meant = RequestReader.atLeast("lease_incarnation", request.getLeaseIncarnation(), 0);
    return find(lease)
        .thenApply(
            found ->
                found
                    .filter(view -> meant == 0 || meant == view.incarnation())
                    .orElseThrow(() -> RefusalWriter.leaseNotFound(lease)))
        .thenApply(
            view ->
                new Life.Shared(new LeaseLife(view.id(), view.incarnation()), view.terms().ttl()));
  }

  /** A lease that is alive. One that this node does not know may have begun elsewhere just now. */
  CompletionStage<Optional<LeaseView>> find(long lease) {
    return reads
        .lease(lease, /* linearizable= */ false)
        .thenCompose(
            read ->
                read.what().isPresent()
                    ? CompletableFuture.completedFuture(read)
                    : reads.lease(lease, /* linearizable= */ true))
        .thenApply(LockReads.Read::what);
  }
}
