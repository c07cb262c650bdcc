package io.holdfast.coordination;

import io.holdfast.coordination.CoordinationMachine.Applied;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardId;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.Leadership;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in what the nodes agree on: its session, its shards, and, while it leads, what a
 * leader owes the others. Safe for use by many threads; all of its own work is done on one.
 */
public final class NodeCoordination implements CoordinationMachine.Follower {

  private static final Logger log = LoggerFactory.getLogger(NodeCoordination.class);

  /**
   * The interval at which it looks what time has made due; what the log brings is looked at as it
   * comes.
   */
  private static final long TICK_MS = 25;

  private final CoordinationMachine machine;
  private final SessionTimes times;
  private final Clocks clocks;
  private final OwnThread thread;
  private final Leading leading = new Leading();
  private final OwnedShards shards = new OwnedShards(this);
  private final OwnerTable owners = new OwnerTable();
  private final GonePeers gonePeers = new GonePeers();
  private final List<Consumer<List<Applied>>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<SessionId> opened = new CompletableFuture<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final CompletableFuture<Error> failed = new CompletableFuture<>();
  private volatile @Nullable ConsensusLog consensus;
  private volatile @Nullable Proposals proposals;
  private volatile @Nullable NodeSession session;
  private volatile boolean closing;

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
    machine.tell(this);
  }

  /** The log runs: from now on this node does its part as a leader, if it is one. */
  public void begin(ConsensusLog running) {
    consensus = running;
    proposals = new Proposals(running, machine);
    thread.every(TICK_MS, this::act);
  }

  /**
   * Opens this process's session, and keeps it from then on. The stage completes when it is open;
   * it does not if it cannot be: then {@link #ended} does. A process whose terms are not those of
   * the founding asks for none.
   */
  public CompletionStage<SessionId> open(CoordinationCommand.OpenSession opening) {
    return open(founded -> opening);
  }

  /** As {@link #open}, on terms that follow from those of the founding. */
  public CompletionStage<SessionId> open(
      Function<ShardTerms, CoordinationCommand.OpenSession> opening) {
    thread.run(() -> openOnceCaughtUp(opening));
    return opened;
  }

  /* A node that is behind would not hear of its own renewals in time. */
  private void openOnceCaughtUp(Function<ShardTerms, CoordinationCommand.OpenSession> opening) {
    ConsensusLog running = consensus;
    if (running == null || closing) {
      return;
    }
    var unused =
        running
            .readBarrier()
            .thenAccept(
                outcome -> {
                  if (outcome.isSafe() && machine.read(CoordinationState::isFounded)) {
                    thread.run(() -> begin(opening));
                  } else {
                    after(TICK_MS, () -> openOnceCaughtUp(opening));
                  }
                });
  }

  private void begin(Function<ShardTerms, CoordinationCommand.OpenSession> how) {
    ShardTerms founded = machine.read(CoordinationState::terms);
    CoordinationCommand.OpenSession opening = how.apply(founded);
    opening
        .terms()
        .differenceFrom(founded)
        .ifPresentOrElse(
            ended::complete,
            () -> {
              session = new NodeSession(times, opening, clocks);
              act();
            });
  }

  /** Completes with the reason when the session has ended: this process must end too. */
  public CompletionStage<String> ended() {
    return ended;
  }

  /** Completes if an error has stopped the work of this node: its process must end at once. */
  public CompletionStage<Error> failed() {
    return failed;
  }

  private void fail(Error error) {
    closing = true; // nobody keeps the session any more
    failed.complete(error);
    ended.complete("coordination has failed: " + error);
  }

  /** True if the node may act: its session has surely not ended yet. */
  public boolean mayAct() {
    NodeSession current = session;
    return current != null && current.isValid() && !closing;
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

  /** Tells all nodes where clients reach this one. Its session must be open. */
  public void announce(String endpoint) {
    thread.run(
        () -> {
          SessionId own = liveSession();
          if (own != null) {
            propose(
                new CoordinationCommand.AnnounceEndpoint(own, endpoint),
                verdict -> {
                  if (verdict.isEmpty()) {
                    after(TICK_MS, () -> announce(endpoint));
                  }
                });
          }
        });
  }

  /** The shards of this node. */
  public ShardOwnership shards() {
    return shards;
  }

  /**
   * Closes the session: nothing acts on it any more. Completes when the log says that it has ended,
   * which it does not without a majority.
   */
  public CompletionStage<String> close() {
    closing = true;
    thread.run(this::closeSession);
    return ended;
  }

  private void closeSession() {
    SessionId own = liveSession();
    if (own == null) {
      ended.complete("it was never open");
      return;
    }
    propose(
        new CoordinationCommand.CloseSession(own),
        verdict -> {
          if (verdict.isEmpty()) {
            after(TICK_MS, this::closeSession);
          }
        });
  }

  /**
   * Makes the shard this node's, under a new epoch; false if it cannot be had now.
   *
   * @param lost told why, when the log has ended the ownership
   */
  public CompletionStage<Boolean> acquire(int shard, Consumer<String> lost) {
    return thread.call(() -> shards.acquire(shard, lost));
  }

  /** Gives the shard up, after all that was asked for it before. */
  public CompletionStage<Boolean> release(int shard) {
    return thread.call(() -> shards.release(shard));
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

  /** The session, if it was opened and has not ended as far as this node knows. */
  public @Nullable SessionId liveSession() {
    NodeSession current = session;
    return current == null || current.end().isPresent() ? null : current.session().orElse(null);
  }

  /** By which this process finds the shard of a key; as in its session. */
  ShardTerms terms() {
    NodeSession current = session;
    if (current == null) {
      throw new IllegalStateException("there was never a session");
    }
    return current.terms();
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
                NodeSession current = session;
                if (current != null) {
                  current.restored(state);
                }
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
    NodeSession current = session;
    for (Applied each : batch) {
      CoordinationVerdict verdict = each.verdict();
      machine.read(
          state -> {
            leading.duties().applied(verdict, state, nowMs());
            return true;
          });
      if (current != null) {
        current.applied(verdict);
      }
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
  private void act() {
    leading.look(consensus, nowMs());
    keepSession();
    SessionId own = liveSession();
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

  private void keepSession() {
    NodeSession current = session;
    if (current == null) {
      return;
    }
    for (CoordinationCommand command : current.due()) {
      propose(
          command,
          verdict -> {
            current.answered(command, verdict);
            current.session().ifPresent(opened::complete);
            act();
          });
    }
    current
        .end()
        .ifPresent(
            reason -> {
              if (ended.complete(reason)) {
                if (!closing) {
                  log.warn("the session of this node has ended: {}", reason);
                }
                shards.sessionEnded(reason);
              }
            });
  }

  void takeBlock(Ownership owner) {
    thread.run(
        () -> {
          SessionId own = liveSession();
          if (own == null) {
            owner.blockTaken(Optional.empty());
          } else {
            propose(
                new CoordinationCommand.TakeTokenBlock(
                    own, new ShardId(owner.shard()), owner.under()),
                owner::blockTaken);
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

  Executor executor() {
    return thread::run;
  }
}
