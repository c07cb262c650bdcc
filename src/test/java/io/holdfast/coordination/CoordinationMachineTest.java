package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.state.ConfiguredMember;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationRefusal;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.NodeRole;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.raft.ConsensusLog.SnapshotSource;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Role;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Coordination as one of the machines of a log. */
class CoordinationMachineTest {

  private static final ShardTerms TERMS = ShardTerms.of(4);

  private static final long WRITER = 0xfedcba9876543210L;
  private static final Member VOTER = Member.voter(new MemberId(1), "host:1");
  private static final Member WITNESS = Member.witness(new MemberId(2), "host:2");
  private static final Member LEARNER = Member.learner(new MemberId(3), "host:3");

  /** Keeps what it was told. */
  private static final class Told implements CoordinationReplica.Follower {
    final List<CoordinationReplica.Applied> applied = new ArrayList<>();
    final List<Object> others = new ArrayList<>();
    int batches;

    @Override
    public void applied(List<CoordinationReplica.Applied> batch) {
      batches++;
      applied.addAll(batch);
    }

    @Override
    public void restored() {
      others.add("restored");
    }

    @Override
    public void leadershipChanged() {
      others.add("leadership");
    }

    @Override
    public void peerGone(NodeId peer) {
      others.add(peer);
    }

    CoordinationReplica.Applied last() {
      return applied.get(applied.size() - 1);
    }
  }

  private final CoordinationMachine machine = new CoordinationMachine(WRITER);
  private final Told told = new Told();
  private long index;

  CoordinationMachineTest() {
    machine.attach(told);
  }

  private void found() {
    machine.founded(++index, new Formation(77, TERMS.shards(), 0, List.of(VOTER, WITNESS)));
  }

  private CoordinationVerdict apply(long number, CoordinationCommand command) {
    machine.apply(++index, 1, machine.entry(number, command));
    machine.batchApplied(index);
    return told.last().verdict();
  }

  private SessionId open(long incarnation) {
    CoordinationVerdict verdict =
        apply(
            incarnation,
            new CoordinationCommand.OpenSession(
                new NodeId(1),
                incarnation,
                "akka://a",
                1,
                Set.of(NodeRole.SHARD_HOST),
                2_000,
                TERMS));
    return verdict.alive().orElseThrow().id();
  }

  private static ConfiguredMember row(Member member, NodeRole role) {
    return new ConfiguredMember(new NodeId(member.id().value()), member.address(), Set.of(role));
  }

  @Test
  void nothing_is_done_before_the_log_says_that_it_was_founded() {
    CoordinationVerdict verdict = apply(1, new CoordinationCommand.CloseSession(new SessionId(1)));
    assertEquals(CoordinationRefusal.NOT_FOUNDED, ((CoordinationVerdict.Refused) verdict).reason());
  }

  @Test
  void the_log_s_first_entry_founds_the_cluster() {
    found();
    assertEquals(77L, machine.<Long>read(CoordinationState::clusterId));
    assertEquals(4, machine.<Integer>read(CoordinationState::shards));
    assertEquals(
        List.of(row(VOTER, NodeRole.VOTER), row(WITNESS, NodeRole.WITNESS)),
        machine.read(CoordinationState::members));
  }

  @Test
  void the_log_s_members_are_those_of_the_state() {
    found();
    machine.configured(++index, List.of(VOTER, LEARNER));
    assertEquals(
        List.of(row(VOTER, NodeRole.VOTER), row(LEARNER, NodeRole.LEARNER)),
        machine.read(CoordinationState::members));
  }

  @Test
  void members_that_the_state_refuses_are_told_loudly() {
    ListAppender<ILoggingEvent> loud = new ListAppender<>();
    loud.start();
    Logger logger = (Logger) LoggerFactory.getLogger(CoordinationReplica.class);
    logger.addAppender(loud);
    try {
      found();
      machine.configured(++index, List.of(VOTER, LEARNER));
      assertEquals(List.of(), loud.list);
      Member bad = Member.learner(new MemberId(4), "m\u00fcller:7400");
      machine.configured(++index, List.of(VOTER, bad));
      assertEquals(1, loud.list.size());
      assertEquals(Level.ERROR, loud.list.get(0).getLevel());
    } finally {
      logger.detachAppender(loud);
    }
  }

  @Test
  void only_own_commands_are_told_with_their_number() {
    found();
    machine.batchApplied(index);
    open(7);
    assertEquals(7, told.last().number());
    CoordinationMachine other = new CoordinationMachine(WRITER + 1);
    CoordinationCommand close = new CoordinationCommand.CloseSession(new SessionId(5));
    machine.apply(++index, 1, other.entry(8, close));
    machine.batchApplied(index);
    assertEquals(0, told.last().number());
    assertEquals(close, told.last().command());
  }

  @Test
  void a_batch_is_told_at_once_and_an_empty_one_not_at_all() {
    found();
    CoordinationCommand close = new CoordinationCommand.CloseSession(new SessionId(5));
    machine.apply(++index, 1, machine.entry(1, close));
    machine.apply(++index, 1, machine.entry(2, close));
    assertEquals(0, told.batches);
    machine.batchApplied(index);
    machine.batchApplied(++index);
    assertEquals(1, told.batches);
    assertEquals(List.of(0L, 1L, 2L), told.applied.stream().map(each -> each.number()).toList());
  }

  @Test
  void the_fence_is_the_epoch_of_the_shard_s_owner() {
    found();
    SessionId session = open(1);
    assertEquals(Epoch.NONE, machine.epochOf(ShardId.of(3)));
    assertEquals(Epoch.NONE, machine.epochOf(ShardId.of(4_711)));
    CoordinationVerdict.Acquired acquired =
        (CoordinationVerdict.Acquired)
            apply(2, new CoordinationCommand.AcquireShard(session, ShardId.of(3), 1, TERMS));
    assertEquals(acquired.epoch(), machine.epochOf(ShardId.of(3)));
    apply(3, new CoordinationCommand.ReleaseShard(session, ShardId.of(3), acquired.epoch()));
    assertTrue(machine.epochOf(ShardId.of(3)).compareTo(acquired.epoch()) > 0);
  }

  @Test
  void another_machine_goes_on_from_a_snapshot() throws Exception {
    found();
    SessionId session = open(1);
    byte[] state = machine.read(CoordinationState::toBytes);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (SnapshotSource snapshot = machine.snapshot()) {
      apply(2, new CoordinationCommand.CloseSession(session));
      snapshot.writeTo(bytes);
    }
    CoordinationMachine other = new CoordinationMachine(WRITER + 1);
    Told otherTold = new Told();
    other.attach(otherTold);
    other.restore(2, new ByteArrayInputStream(bytes.toByteArray()));
    assertArrayEquals(state, other.read(CoordinationState::toBytes));
    assertEquals(List.of("restored"), otherTold.others);
  }

  @Test
  void a_batch_that_a_restore_overtook_is_not_told() throws Exception {
    found();
    byte[] state = machine.read(CoordinationState::toBytes);
    machine.restore(9, new ByteArrayInputStream(state));
    machine.batchApplied(9);
    assertEquals(0, told.batches);
  }

  @Test
  void a_damaged_snapshot_is_refused_and_changes_nothing() {
    found();
    byte[] state = machine.read(CoordinationState::toBytes);
    assertThrows(
        IOException.class,
        () -> machine.restore(9, new ByteArrayInputStream(state, 0, state.length - 1)));
    assertArrayEquals(state, machine.read(CoordinationState::toBytes));
  }

  @Test
  void leadership_and_gone_processes_are_told_on() {
    Leadership leadership = new Leadership(3, Role.LEADER, new MemberId(1));
    machine.leadershipChanged(leadership);
    machine.peerGone(new MemberId(2));
    assertEquals(List.of("leadership", new NodeId(2)), told.others);
  }
}
