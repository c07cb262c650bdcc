package io.holdfast.raft.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the promises of one core to its own callers: formation, limits, refusals and outcomes. */
class RaftCoreTest {

  private static final Settings SETTINGS = Settings.LOCAL;
  private static final Entry NOOP = new Entry(3, 2, EntryKind.NOOP, new byte[0]);

  @Test
  void a_directory_is_founded_once_and_as_a_member() {
    CoreDriver driver = new CoreDriver(SETTINGS);
    Formation others = new Formation(7, 48, 0, List.of(Member.voter(CoreDriver.B, "")));
    assertEquals(Optional.of(RaftRefusal.NOT_ELIGIBLE), driver.core.form(others));
    assertEquals(Optional.empty(), driver.core.form(CoreDriver.ONE));
    assertEquals(Optional.of(RaftRefusal.ALREADY_FORMED), driver.core.form(CoreDriver.ONE));
  }

  @Test
  void nothing_is_voted_proposed_or_read_before_entry_1() {
    CoreDriver driver = new CoreDriver(SETTINGS);
    driver.core.receive(new Message.VoteRequest(CoreDriver.B, CoreDriver.A, 5, 9, 4, false, false));
    driver.core.propose(1, new byte[1]);
    driver.core.read(2);
    driver.core.tick(60_000);
    driver.settle();
    assertEquals(List.of(), driver.sent);
    assertEquals(List.of(ProposalOutcome.refused(1, RaftRefusal.NOT_FORMED)), driver.outcomes);
    assertEquals(List.of(ReadOutcome.refused(2, RaftRefusal.NOT_FORMED)), driver.reads);
  }

  @Test
  void a_cluster_of_one_leads_applies_and_reads_by_itself() {
    CoreDriver driver = CoreDriver.alone(SETTINGS);
    driver.core.propose(1, new byte[] {7});
    driver.core.read(2);
    driver.settle();
    assertEquals(List.of(ProposalOutcome.applied(1, 3)), driver.outcomes);
    assertEquals(3, driver.applied.size());
    assertEquals(2, driver.reads.get(0).id());
    assertTrue(driver.reads.get(0).isSafe());
  }

  @Test
  void a_gone_member_counts_again_after_another_leader() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    driver.core.peerGone(CoreDriver.B);
    stand(driver);
    elect(driver, CoreDriver.C);
    assertEquals(Role.LEADER, driver.core.leadership().role());
    driver.core.receive(vote(CoreDriver.C, 9, true, false));
    driver.settle();
    assertEquals(Role.FOLLOWER, driver.core.leadership().role());
    stand(driver);
    driver.core.receive(vote(CoreDriver.C, 9, true, false));
    elect(driver, CoreDriver.B);
    assertEquals(Role.LEADER, driver.core.leadership().role());
  }

  private static void stand(CoreDriver driver) {
    driver.core.tick(driver.core.nextTickMs());
    driver.settle();
  }

  /** One member votes for it. */
  private static void elect(CoreDriver driver, MemberId voter) {
    long term = driver.core.leadership().term() + 1;
    driver.core.receive(vote(voter, term, true, true));
    driver.settle();
    driver.core.receive(vote(voter, term, false, true));
    driver.settle();
  }

  private static Message vote(MemberId from, long term, boolean preVote, boolean granted) {
    return new Message.VoteResponse(from, CoreDriver.A, term, preVote, granted);
  }

  @Test
  void a_leader_counts_itself_only_when_its_own_disk_has_the_entry() {
    CoreDriver driver = CoreDriver.alone(SETTINGS);
    driver.core.propose(1, new byte[] {7});
    Ready ready = Objects.requireNonNull(driver.core.ready());
    assertEquals(List.of(), ready.committed());
    driver.log.append(ready.entries());
    assertEquals(2, driver.core.commit());
    driver.core.persisted(ready.number());
    assertEquals(3, driver.core.commit());
  }

  @Test
  void a_proposal_out_of_bound_is_refused() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    driver.core.propose(1, new byte[SETTINGS.maxProposalBytes() + 1]);
    int most = SETTINGS.maxPendingProposals();
    for (int i = 0; i <= most; i++) {
      driver.core.propose(10 + i, new byte[1]);
    }
    driver.settle();
    assertEquals(
        List.of(
            ProposalOutcome.refused(1, RaftRefusal.TOO_LARGE),
            ProposalOutcome.refused(10 + most, RaftRefusal.QUEUE_FULL)),
        driver.outcomes);
  }

  @Test
  void a_follower_without_a_leader_refuses() {
    CoreDriver driver = CoreDriver.founded(SETTINGS, CoreDriver.THREE);
    driver.core.propose(1, new byte[1]);
    driver.settle();
    assertEquals(List.of(ProposalOutcome.refused(1, RaftRefusal.NO_LEADER)), driver.outcomes);
    assertEquals(Optional.of(RaftRefusal.NOT_LEADER), driver.core.transferLeadership(CoreDriver.B));
    assertEquals(Optional.of(RaftRefusal.NOT_LEADER), driver.core.changeMembers(List.of()));
  }

  @Test
  void a_forwarded_proposal_dies_with_its_connection() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    driver.core.propose(1, new byte[1]);
    driver.settle();
    Message.Forward forward = driver.newest(Message.Forward.class);
    driver.core.connectionLost(CoreDriver.B);
    driver.settle();
    assertEquals(List.of(ProposalOutcome.unknown(1)), driver.outcomes);
    driver.core.receive(
        new Message.Forwarded(CoreDriver.B, CoreDriver.A, 2, forward.number(), 2, 1));
    driver.settle();
    assertEquals(1, driver.outcomes.size());
  }

  @Test
  void a_forwarded_proposal_is_not_sent_to_the_next_leader() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    driver.core.propose(1, new byte[1]);
    driver.settle();
    driver.sent.clear();
    driver.core.receive(new Message.Heartbeat(CoreDriver.C, CoreDriver.A, 3, 0, 1));
    driver.settle();
    assertEquals(List.of(ProposalOutcome.unknown(1)), driver.outcomes);
    assertTrue(driver.sent.stream().noneMatch(Message.Forward.class::isInstance));
  }

  @Test
  void an_overwritten_proposal_was_certainly_not_applied() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    driver.core.propose(1, new byte[1]);
    driver.settle();
    long number = driver.newest(Message.Forward.class).number();
    driver.core.receive(new Message.Forwarded(CoreDriver.B, CoreDriver.A, 2, number, 2, 1));
    driver.core.receive(
        new Message.AppendRequest(CoreDriver.C, CoreDriver.A, 3, 1, 1, List.of(NOOP), 2, 1));
    driver.settle();
    assertEquals(List.of(ProposalOutcome.refused(1, RaftRefusal.OVERWRITTEN)), driver.outcomes);
  }

  @Test
  void lease_reads_exclude_the_fast_path() {
    Settings leases = SETTINGS.withLeaseReads();
    assertTrue(leases.leaseReads() && !leases.fastPath());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new Settings(
                500, 100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, true, 20, /* fastPath= */ true, 15));
  }

  @Test
  void two_leaders_of_one_term_are_not_believed() {
    CoreDriver driver = CoreDriver.follower(SETTINGS);
    Message impostor = new Message.Heartbeat(CoreDriver.C, CoreDriver.A, 2, 0, 1);
    assertThrows(IllegalStateException.class, () -> driver.core.receive(impostor));
  }
}
