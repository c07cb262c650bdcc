package io.holdfast.simulation.journal;

import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.journal.JournalStateMachine;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.SharedLog;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.simulation.raft.Guest;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The real machines of one process on its member's log. The checkers see what they apply. */
final class Replica implements Guest {

  private final JournalWorld world;
  private final NodeProcess process;
  private final CoordinationMachine coordination;
  private final JournalStateMachine journal;
  private final SharedLog machines;
  private final MemberLog log;
  private final @Nullable ApplyThread applies;
  private long appliedIndex;

  Replica(
      NodeProcess process,
      CoordinationMachine coordination,
      JournalStateMachine journal,
      MemberLog log,
      @Nullable ApplyThread applies) {
    world = process.world();
    this.process = process;
    this.coordination = coordination;
    this.journal = journal;
    this.log = log;
    this.applies = applies;
    machines =
        new SharedLog(
            List.of(
                new SharedLog.Part(JournalStateMachine.CODE, journal),
                new SharedLog.Part(CoordinationMachine.CODE, coordination)));
  }

  long appliedIndex() {
    return appliedIndex;
  }

  /** True if all entries up to this one are applied, and can be seen. */
  boolean hasApplied(long index) {
    return appliedIndex == index && (applies == null || applies.isIdle());
  }

  long digest() {
    return StateDigest.of(coordination.read(CoordinationState::toBytes), journal.version());
  }

  @Override
  public void apply(long index, long term, byte[] payload) {
    inOrder(
        () -> {
          world.chronicle().applied(index, payload);
          machines.apply(index, term, payload);
          appliedIndex = index;
        });
  }

  @Override
  public void configured(long index, List<Member> members) {
    inOrder(
        () -> {
          world.chronicle().configured(index, members);
          machines.configured(index, members);
          appliedIndex = index;
        });
  }

  /** Does what the log tells, in its order. */
  private void inOrder(Runnable action) {
    if (applies == null) {
      action.run();
    } else {
      applies.then(action);
    }
  }

  private void finish() {
    if (applies != null) {
      applies.finish();
    }
  }

  @Override
  public void founded(long index, Formation formation) {
    inOrder(
        () -> {
          world.chronicle().founded(index, formation);
          machines.founded(index, formation);
          appliedIndex = index;
        });
  }

  @Override
  public void batchApplied(long index) {
    inOrder(
        () -> {
          machines.batchApplied(index);
          if (Chronicle.isSampled(appliedIndex)) {
            world.sameState().at(appliedIndex, digest(), process);
          }
        });
  }

  @Override
  public ConsensusLog.SnapshotSource snapshot() {
    finish();
    world.sameState().snapshotTaken(appliedIndex, digest());
    return machines.snapshot();
  }

  @Override
  public void restore(long index, InputStream bytes) throws IOException {
    finish();
    machines.restore(index, bytes);
    appliedIndex = index;
    world.sameState().restored(index, digest(), process);
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    inOrder(() -> machines.leadershipChanged(leadership));
  }

  @Override
  public void peerGone(MemberId peer) {
    inOrder(() -> machines.peerGone(peer));
  }

  @Override
  public void outcome(ProposalOutcome outcome) {
    inOrder(() -> log.outcome(outcome));
  }

  @Override
  public void read(ReadOutcome outcome) {
    inOrder(() -> log.read(outcome));
  }
}
