package io.holdfast.coordination;

import io.holdfast.coordination.CoordinationMachine.Applied;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Leadership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in what the nodes agree on: its reads and proposals, its {@link #session}, its
 * {@link #shards}, and, while it leads, the duties of a leader. Safe for use by many threads; all
 * of its own work is done on one.
 */
public final class NodeCoordination implements CoordinationMachine.Follower {

  /**
   * The interval at which it looks what time has made due; what the log brings is looked at as it
   * comes.
   */
  static final long TICK_MS = 25;

  private final CoordinationMachine machine;
  private final SessionTimes times;
  private final Clocks clocks;
  private final OwnThread thread;
  private final Leading leading = new Leading();
  private final OwnSession session;
  private final OwnedShards shards = new OwnedShards(this);
  private final OwnerTable owners = new OwnerTable();
  private final GonePeers gonePeers = new GonePeers();
  private final List<Consumer<List<Applied>>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Error> failed = new CompletableFuture<>();
  private volatile @Nullable ConsensusLog consensus;
  private volatile @Nullable Proposals proposals;

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
    this(machine, times, clocks, failed -> new ScheduledThread(thread, failed));
  }

  /**
   * A node without a session, on a thread of another kind.
   *
   * @param thread makes the thread, and is given whom to tell of an error on it
   */
  public NodeCoordination(
      CoordinationMachine machine,
      SessionTimes times,
      Clocks clocks,
      Function<Consumer<Error>, OwnThread> thread) {
    this.machine = machine;
    this.times = times;
    this.clocks = clocks;
    this.thread = thread.apply(this::fail);
    session = new OwnSession(this, times, clocks);
    machine.tell(this);
  }

  /** The log runs: from now on this node does its part as a leader, if it is one. */
  public void begin(ConsensusLog running) {
    consensus = running;
    proposals = new Proposals(running, machine);
    thread.every(TICK_MS, this::act);
  }

  /** Completes if an error has stopped the work of this node: its process must end at once. */
  public CompletionStage<Error> failed() {
    return failed;
  }

  private void fail(Error error) {
    session.abandon();
    failed.complete(error);
    session.end("coordination has failed: " + error);
  }

  /** The log by which the nodes agree; null before {@link #begin}. */
  public @Nullable ConsensusLog log() {
    return consensus;
  }

  /** True if this node knows all that was applied anywhere. */
  public Barrier barrier() {
    return () -> {
      ConsensusLog log = consensus;
      return log == null
          ? CompletableFuture.completedFuture(false)
          : log.readBarrier().thenApply(outcome -> outcome.isSafe());
    };
  }

  /** The owners of shards, by all that this node has followed. */
  public Owners owners() {
    return owners;
  }

  /** The session of this process. */
  public OwnSession session() {
    return session;
  }

  /** The shards of this node. */
  public OwnedShards shards() {
    return shards;
  }

  /** Proposes a command; empty if it has no verdict: it was not applied, or nobody knows. */
  public CompletionStage<Optional<CoordinationVerdict>> propose(CoordinationCommand command) {
    Proposals open = proposals;
    return open == null
        ? CompletableFuture.completedFuture(Optional.empty())
        : open.propose(command);
  }

  /** Reads something of what is agreed on, as this node has applied it. Nothing must be kept. */
  public <T> T read(Function<CoordinationState, T> what) {
    return machine.read(what);
  }

  /** Has the copyist told of every entry from now on, until what is returned is run. */
  public Runnable copyFor(CoordinationMachine.Copyist copyist) {
    return machine.copyFor(copyist);
  }

  /** The coordination state as this node has applied it, to be passed on as a whole. */
  public CoordinationMachine.Image image() {
    return machine.image();
  }

  /**
   * Has the listener told of everything that is applied, on coordination's thread, until what is
   * returned is run.
   */
  public Runnable listen(Consumer<List<Applied>> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  // ------------------------------------------------------------------ what the log tells

  @Override
  public void applied(List<Applied> batch) {
    Proposals open = proposals;
    if (open != null) {
      batch.forEach(
          each -> {
            if (each.number() != 0) {
              open.applied(each.number(), each.verdict());
            }
          });
    }
    thread.run(() -> follow(batch));
  }

  @Override
  public void restored() {
    thread.run(
        () -> {
          machine.read(
              state -> {
                leading.duties().restored(state, nowMs());
                session.restored(state);
                return owners.follow(state);
              });
          shards.restored();
          act();
        });
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    thread.run(this::act);
  }

  @Override
  public void peerGone(NodeId peer) {
    thread.run(
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

  private void follow(List<Applied> batch) {
    boolean freed = false;
    for (Applied each : batch) {
      CoordinationVerdict verdict = each.verdict();
      machine.read(
          state -> {
            leading.duties().applied(verdict, state, nowMs());
            return true;
          });
      session.applied(verdict);
      shards.applied(verdict);
      freed |= verdict instanceof CoordinationVerdict.Released || !verdict.ended().isEmpty();
    }
    if (batch.stream().anyMatch(each -> OwnerTable.isChangedBy(each.verdict()))) {
      machine.read(owners::follow);
    }
    listeners.forEach(listener -> listener.accept(batch));
    if (freed) {
      shards.shardsFreed();
    }
    act();
  }

  /** Does what is due now. */
  void act() {
    leading.look(consensus, nowMs());
    session.keep();
    SessionId own = session.live();
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

  /** Proposes, and has the answer on this node's own thread. */
  void propose(CoordinationCommand command, Consumer<Optional<CoordinationVerdict>> answer) {
    var unused = propose(command).thenAccept(verdict -> thread.run(() -> answer.accept(verdict)));
  }

  void after(long delayMs, Runnable action) {
    thread.after(delayMs, action);
  }

  long nowMs() {
    return clocks.monotonicMs();
  }

  /** Does a step on this node's own thread. */
  void run(Runnable step) {
    thread.run(step);
  }

  /** Does a step there, and answers what it came to. */
  CompletionStage<Boolean> call(Supplier<CompletionStage<Boolean>> step) {
    return thread.call(step);
  }
}
