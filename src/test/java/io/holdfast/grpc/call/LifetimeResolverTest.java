package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.StatusRuntimeException;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Ttl;
import io.holdfast.v1.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** The lookup of a lease by a node whose state may be stale. */
class LifetimeResolverTest {

  private static final Ttl TTL = new Ttl(5_000);
  private static final long ID = 7;

  private Optional<LeaseDetails> applied = Optional.empty();
  private Optional<LeaseDetails> committed = Optional.empty();
  private final List<Boolean> looks = new ArrayList<>();
  private final LifetimeResolver lives =
      new LifetimeResolver(
          (lease, linearizable) -> {
            looks.add(linearizable);
            return CompletableFuture.completedFuture(linearizable ? committed : applied);
          });

  @Test
  void a_lease_known_to_this_node_is_read_locally() {
    applied = view(3);
    assertEquals(shared(3), life(3));
    assertEquals(shared(3), life(0));
    assertEquals(List.of(false, false), looks);
  }

  @Test
  void a_lease_unknown_to_this_node_is_found() {
    committed = view(3);
    assertEquals(shared(3), life(3));
  }

  @Test
  void a_newer_incarnation_than_the_local_one_is_found() {
    applied = view(3);
    committed = view(4);
    assertEquals(shared(4), life(4));
  }

  @Test
  void a_missing_lease_is_refused_after_a_linearizable_read() {
    committed = view(4);
    CompletionException failure = assertThrows(CompletionException.class, () -> life(3));
    assertInstanceOf(StatusRuntimeException.class, failure.getCause());
    assertEquals(List.of(false, true), looks);
  }

  private Lifetime life(long incarnation) {
    LockRequest request =
        LockRequest.newBuilder().setLeaseId(ID).setLeaseIncarnation(incarnation).build();
    return lives.of(request).toCompletableFuture().join();
  }

  private static Lifetime shared(long incarnation) {
    return new Lifetime.Shared(LeaseLife.of(new LeaseId(ID), new Revision(incarnation)), TTL);
  }

  private static Optional<LeaseDetails> view(long incarnation) {
    LeaseTerms terms = new LeaseTerms(TTL, ClientId.NAMELESS, /* session= */ false);
    return Optional.of(
        new LeaseDetails(new LeaseId(ID), new Revision(incarnation), terms, List.of(), 0));
  }
}
