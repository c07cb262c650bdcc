package io.holdfast.coordination;

import io.holdfast.coordination.member.Clocks;
import io.holdfast.coordination.member.CoordinationReplica;
import io.holdfast.coordination.member.MemberCoordination;
import io.holdfast.coordination.member.MemberLog;
import io.holdfast.coordination.member.OwnThread;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.ConsensusLog;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node's part in what the nodes agree on: besides that of any member its {@link #shards}, and,
 * while it leads, the duties of a leader. Safe for use by many threads; all of its own work is done
 * on one.
 */
public final class NodeCoordination extends MemberCoordination {

  private final CoordinationMachine machine;
  private final SessionTimes times;
  private final Leading leading = new Leading();
  private final OwnedShards shards = new OwnedShards(this);
  private final GonePeers gonePeers = new GonePeers();
  private boolean freed; // by the batch that is followed now
  private volatile @Nullable ConsensusLog consensus;

  /**
   * A node without a session, which follows the machine from now on.
   *
   * @param thread of one thread, which nobody else keeps busy
   */
  public NodeCoordination(
      CoordinationMachine machine,
      SessionTimes times,
      Clocks clocks,
      ScheduledExecutorService thread) {
    super(machine, times, clocks, thread);
    this.machine = machine;
    this.times = times;
  }

  /**
   * A node without a session, on a thread of another kind.
   *
   * @param thread makes the thread from a consumer of errors on it
   */
  public NodeCoordination(
      CoordinationMachine machine,
      SessionTimes times,
      Clocks clocks,
      Function<Consumer<Error>, OwnThread> thread) {
    super(machine, times, clocks, thread);
    this.machine = machine;
    this.times = times;
  }

  /** The log runs: from now on this node does its part as a leader, if it is one. */
  public void begin(ConsensusLog running) {
    consensus = running;
    begin(new NodeLog(running));
  }

  /** The log by which the nodes agree; null before {@link #begin}. */
  public @Nullable ConsensusLog log() {
    return consensus;
  }

  /** The shards of this node. */
  public OwnedShards shards() {
    return shards;
  }

  /** Passes every entry from now on to the copyist, until the returned action is run. */
  public Runnable copyFor(CoordinationReplica.Copyist copyist) {
    return machine.copyFor(copyist);
  }

  /** The coordination state as this node has applied it, to be passed on as a whole. */
  public CoordinationReplica.Image image() {
    return machine.image();
  }

  // ------------------------------------------------------------------ what the log tells

  @Override
  public void leadershipChanged() {
    run(this::act);
  }

  @Override
  public void peerGone(NodeId peer) {
    run(
        () -> {
          machine.read(
              state -> {
                gonePeers.gone(peer, state, nowMs() + times.ttlMs());
                return true;
              });
          act();
        });
  }

  // ------------------------------------------------------------------ on its own thread

  @Override
  protected void followApplied(CoordinationVerdict verdict) {
    machine.read(
        state -> {
          leading.duties().applied(verdict, state, nowMs());
          return true;
        });
    shards.applied(verdict);
    freed |= verdict instanceof CoordinationVerdict.Released || !verdict.ended().isEmpty();
  }

  @Override
  protected void afterBatch() {
    if (freed) {
      freed = false;
      shards.shardsFreed();
    }
  }

  @Override
  protected void followRestored(CoordinationState state) {
    leading.duties().restored(state, nowMs());
  }

  @Override
  protected void afterRestore() {
    shards.restored();
  }

  @Override
  protected void sessionEnded(String reason) {
    shards.sessionEnded(reason);
  }

  @Override
  protected void act() {
    leading.look(consensus, nowMs());
    super.act();
    SessionId own = session().live();
    for (CoordinationCommand command : machine.read(state -> leading.due(own, state, nowMs()))) {
      var unused = propose(command);
    }
    if (own != null) {
      machine.read(state -> gonePeers.due(own, state, nowMs())).forEach(this::report);
    }
  }

  private void report(CoordinationCommand.ReportGone report) {
    propose(
        report,
        verdict -> {
          if (verdict.isEmpty()) {
            gonePeers.notHeard(report);
          }
        });
  }

  /** The log, as coordination has it. */
  private record NodeLog(ConsensusLog log) implements MemberLog {

    @Override
    public CompletionStage<?> propose(byte[] payload) {
      return log.propose(payload);
    }

    @Override
    public CompletionStage<Boolean> caughtUp() {
      return log.readBarrier().thenApply(outcome -> outcome.isSafe());
    }
  }
}
