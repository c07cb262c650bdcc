package io.holdfast.coordination.member;

import io.holdfast.coordination.member.CoordinationReplica.Applied;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionTimes;
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
 * The part of one member of the cluster in what the nodes agree on: its reads and proposals, its
 * {@link #session}, and the owners of shards. A service has no other part; a node has more. Safe
 * for use by many threads; all of its own work is done on one.
 */
public class MemberCoordination implements CoordinationReplica.Follower {

  /** The interval of its looks at deadlines. Entries of the log are handled as they come. */
  public static final long TICK_MS = 25;

  private final CoordinationReplica replica;
  private final OwnThread thread;
  private final Clocks clocks;
  private final OwnSession session;
  private final OwnerTable owners = new OwnerTable();
  private final List<Consumer<List<Applied>>> listeners = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Error> failed = new CompletableFuture<>();
  private volatile @Nullable MemberLog log;
  private volatile @Nullable Proposals proposals;

  /**
   * A member without a session, which follows the replica from now on.
   *
   * @param thread of one thread, which nobody else keeps busy
   */
  public MemberCoordination(
      CoordinationReplica replica,
      SessionTimes times,
      Clocks clocks,
      ScheduledExecutorService thread) {
    this(replica, times, clocks, failed -> new ScheduledThread(thread, failed));
  }

  /**
   * A member without a session, on a thread of another kind.
   *
   * @param thread makes the thread from a consumer of errors on it
   */
  public MemberCoordination(
      CoordinationReplica replica,
      SessionTimes times,
      Clocks clocks,
      Function<Consumer<Error>, OwnThread> thread) {
    this.replica = replica;
    this.clocks = clocks;
    this.thread = thread.apply(this::fail);
    session = new OwnSession(this, times, clocks);
    replica.attach(this);
  }

  /** The log runs: from now on this member keeps its session, once it has one. */
  public void begin(MemberLog running) {
    log = running;
    proposals = new Proposals(running, replica);
    thread.every(TICK_MS, this::act);
  }

  /** Completes if an error has stopped the work of this member: its process must end at once. */
  public CompletionStage<Error> failed() {
    return failed;
  }

  private void fail(Error error) {
    session.abandon();
    failed.complete(error);
    session.end("coordination has failed: " + error);
  }

  /** True once the log runs. */
  boolean hasBegun() {
    return log != null;
  }

  /** True if this member knows all that was applied anywhere. */
  public Barrier barrier() {
    return () -> {
      MemberLog running = log;
      return running == null ? CompletableFuture.completedFuture(false) : running.caughtUp();
    };
  }

  /** The owners of shards, by all that this member has followed. */
  public Owners owners() {
    return owners;
  }

  /** The session of this process. */
  public OwnSession session() {
    return session;
  }

  /** Proposes a command; empty if it has no verdict: it was not applied, or nobody knows. */
  public CompletionStage<Optional<CoordinationVerdict>> propose(CoordinationCommand command) {
    Proposals open = proposals;
    return open == null
        ? CompletableFuture.completedFuture(Optional.empty())
        : open.propose(command);
  }

  /** Reads something of what is agreed on, as this member has applied it. Nothing must be kept. */
  public <T> T read(Function<CoordinationState, T> what) {
    return replica.read(what);
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
          replica.read(
              state -> {
                followRestored(state);
                session.restored(state);
                return owners.follow(state);
              });
          afterRestore();
          act();
        });
  }

  // ------------------------------------------------------------------ on its own thread

  private void follow(List<Applied> batch) {
    for (Applied each : batch) {
      CoordinationVerdict verdict = each.verdict();
      session.applied(verdict);
      followApplied(verdict);
    }
    if (batch.stream().anyMatch(each -> OwnerTable.isChangedBy(each.verdict()))) {
      replica.read(owners::follow);
    }
    listeners.forEach(listener -> listener.accept(batch));
    afterBatch();
    act();
  }

  /** For what a node does besides: this was applied, and the session knows it. */
  protected void followApplied(CoordinationVerdict verdict) {}

  /** For what a node does besides: all that was applied together has been followed. */
  protected void afterBatch() {}

  /** For what a node does besides: the state has become this one. It must not be kept. */
  protected void followRestored(CoordinationState state) {}

  /** For what a node does besides: the state has jumped, and the session knows it. */
  protected void afterRestore() {}

  /** For what a node does besides: the session has ended. */
  protected void sessionEnded(String reason) {}

  /** Does what is due now. */
  protected void act() {
    session.keep();
  }

  /** Proposes, and has the answer on this member's own thread. */
  public void propose(CoordinationCommand command, Consumer<Optional<CoordinationVerdict>> answer) {
    var unused = propose(command).thenAccept(verdict -> thread.run(() -> answer.accept(verdict)));
  }

  /** Does a step there once this time is over. */
  public void after(long delayMs, Runnable action) {
    thread.after(delayMs, action);
  }

  /** The time by its monotonic clock. */
  public long nowMs() {
    return clocks.monotonicMs();
  }

  /** Does a step on this member's own thread. */
  public void run(Runnable step) {
    thread.run(step);
  }

  /** Does a step there, and answers what it came to. */
  public CompletionStage<Boolean> call(Supplier<CompletionStage<Boolean>> step) {
    return thread.call(step);
  }
}
