package io.holdfast.grpc.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.StatusRuntimeException;
import io.holdfast.bytes.Bytes;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.ContentHash;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.sharding.LeaseGateway;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.Renewal;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The shares of one address and one client of the leases. */
class LeaseQuotaTest {

  private static final int ALL = 200;
  private static final int SHARE = 100;
  private static final ClientId NAMELESS = ClientId.NAMELESS;

  private final Map<Long, Long> alive = new HashMap<>();
  private long revision;
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final Quota quota = new Quota(Quota.Kind.LEASES, ALL, ALL);
  private final LeaseQuota share =
      new LeaseQuota(
          quota,
          new LeaseQuota.AppliedLeases() {
            @Override
            public Optional<LeaseLife> alive(LeaseId lease) {
              return Optional.ofNullable(alive.get(lease.value()))
                  .map(at -> LeaseLife.of(lease, new Revision(at)));
            }

            @Override
            public boolean hasEnded(LeaseLife lease) {
              long incarnation = lease.incarnation().value();
              return revision >= incarnation
                  && alive.getOrDefault(lease.id().value(), 0L) != incarnation;
            }
          },
          Runnable::run,
          later::add);
  private final ClientConnection caller = ClientConnection.unknown();
  private CompletableFuture<LeaseAnswer> answer = new CompletableFuture<>();

  @Test
  void an_address_is_refused_above_its_share_until_a_lease_ends() {
    for (int i = 1; i <= SHARE; i++) {
      granted(i, NAMELESS);
    }
    Refusal refused = refused(SHARE + 1, NAMELESS);
    assertEquals(SHARE, refused.getMaximum());
    assertTrue(refused.getMessage().contains("address"), refused.getMessage());
    assertTrue(refused.getMessage().contains("holdfast.locks.max-leases"), refused.getMessage());
    grant(ClientConnection.unknown(), SHARE + 1, NAMELESS); // another address
    ends(1);
    granted(1_000, NAMELESS);
    refused(1_001, NAMELESS);
  }

  @Test
  void a_named_client_has_one_share_from_all_its_addresses() {
    ClientId client = new ClientId("c");
    for (int i = 1; i <= SHARE; i++) {
      grant(ClientConnection.unknown(), i, client);
      begun(i);
    }
    Refusal refused =
        StatusMapping.refusal(
            assertThrows(
                StatusRuntimeException.class,
                () -> grant(ClientConnection.unknown(), SHARE + 1, client)));
    assertTrue(refused.getMessage().contains("client"), refused.getMessage());
    grant(ClientConnection.unknown(), SHARE + 1, NAMELESS);
    ends(1);
    grant(ClientConnection.unknown(), SHARE + 2, client);
  }

  @Test
  void a_refused_grant_does_not_count() {
    grant(caller, 1, NAMELESS);
    answer.complete(
        new LeaseAnswer(
            0, new Revision(1), new LeaseOutcome.Refused(LeaseOutcome.Reason.TOO_MANY_LEASES)));
    assertEquals(0, quota.taken());
  }

  @Test
  void a_repeated_grant_counts_once() {
    granted(1, NAMELESS);
    grant(caller, 1, NAMELESS);
    begun(1);
    assertEquals(1, quota.taken());
    ends(1);
    assertEquals(0, quota.taken());
  }

  @Test
  void a_lease_that_ends_before_its_answer_does_not_count() {
    grant(caller, 1, NAMELESS);
    alive.put(1L, ++revision);
    long incarnation = revision;
    ends(1);
    answer(incarnation);
    assertEquals(0, quota.taken());
  }

  @Test
  void the_end_of_an_earlier_incarnation_is_ignored() {
    granted(1, NAMELESS);
    long before = revision;
    grant(caller, 1, NAMELESS); // at a node that has heard of the end
    alive.put(1L, ++revision);
    answer(revision);
    share.ended(
        new LeaseEnd(LeaseLife.of(new LeaseId(1), new Revision(before)), Bytes.EMPTY, List.of()));
    assertEquals(1, quota.taken());
    ends(1);
    assertEquals(0, quota.taken());
  }

  @Test
  void a_grant_without_an_answer_is_checked_in_the_journal() {
    grant(caller, 1, NAMELESS);
    answer.completeExceptionally(new TimeoutException());
    grant(caller, 2, NAMELESS);
    alive.put(2L, ++revision);
    answer.completeExceptionally(new TimeoutException());
    assertEquals(2, quota.taken());
    later.forEach(Runnable::run);
    assertEquals(1, quota.taken());
    ends(2);
    assertEquals(0, quota.taken());
  }

  @Test
  void a_revoked_lease_stops_counting_with_the_answer() {
    granted(1, NAMELESS);
    LeaseOutcome again = new LeaseOutcome.Ended(0, /* repeated= */ true);
    share.answered(
        new LeaseId(1),
        new LeaseAnswer(0, new Revision(revision + 1), again)); // of an earlier life
    LeaseOutcome ended = new LeaseOutcome.Ended(0, /* repeated= */ false);
    share.answered(
        new LeaseId(1),
        new LeaseAnswer(0, new Revision(revision), ended)); // of an earlier life, too
    assertEquals(1, quota.taken());
    share.answered(new LeaseId(1), new LeaseAnswer(0, new Revision(revision + 1), ended));
    assertEquals(0, quota.taken());
    ends(1);
    assertEquals(0, quota.taken());
  }

  @Test
  void a_lease_that_ended_during_a_journal_restore_is_noticed() {
    granted(1, NAMELESS);
    granted(2, NAMELESS);
    alive.remove(1L);
    share.restored();
    assertEquals(1, quota.taken());
    assertEquals(1, share.size());
  }

  private void granted(long lease, ClientId client) {
    grant(caller, lease, client);
    begun(lease);
  }

  private void begun(long lease) {
    alive.computeIfAbsent(lease, id -> ++revision);
    answer(alive.get(lease));
  }

  private void answer(long incarnation) {
    answer.complete(
        new LeaseAnswer(
            0,
            new Revision(revision),
            new LeaseOutcome.Granted(new Revision(incarnation), new Ttl(1_000), false)));
  }

  private void ends(long lease) {
    long incarnation = alive.remove(lease);
    revision++;
    share.ended(
        new LeaseEnd(
            LeaseLife.of(new LeaseId(lease), new Revision(incarnation)), Bytes.EMPTY, List.of()));
  }

  private Refusal refused(long lease, ClientId client) {
    Refusal refusal =
        StatusMapping.refusal(
            assertThrows(StatusRuntimeException.class, () -> grant(caller, lease, client)));
    assertEquals(Reason.REASON_TOO_MANY_LEASES, refusal.getReason());
    return refusal;
  }

  private void grant(ClientConnection by, long lease, ClientId client) {
    answer = new CompletableFuture<>();
    CompletableFuture<LeaseAnswer> answering = answer;
    var unused =
        share.grant(
            by,
            new LeaseId(lease),
            new LeaseCommand.Grant(
                new RequestHeader(new RequestId.Once(client, lease), ContentHash.ANY),
                LeaseTerms.of(1_000, client, /* session= */ false)),
            new LeaseGateway() {
              @Override
              public CompletionStage<LeaseAnswer> handle(LeaseId id, LeaseCommand command) {
                return answering;
              }

              @Override
              public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
                throw new UnsupportedOperationException();
              }
            });
  }
}
