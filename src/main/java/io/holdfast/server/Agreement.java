package io.holdfast.server;

import io.holdfast.config.HoldfastSettings;
import io.holdfast.coordination.Administration;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.ClusterAdministration;
import io.holdfast.coordination.CoordinationMachine;
import io.holdfast.coordination.NodeCoordination;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.StateCopies;
import io.holdfast.coordination.member.ShardMoves;
import io.holdfast.coordination.member.SystemClocks;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.id.Epoch;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStateMachine;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LeaseEndFeed;
import io.holdfast.journal.RaftJournalStore;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Fences;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.SharedLog;
import io.holdfast.watch.WatchHub;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The node's part in what all nodes agree on: its member of the log, and all that the log drives.
 */
public final class Agreement implements AnswerFacts, AutoCloseable {

  /** The pause before the journal sends again what came back without a verdict. */
  private static final long JOURNAL_PAUSE_MS = 20;

  /** The interval at which the size of the state is checked. */
  private static final long LOOK_EVERY_MS = 1_000;

  /** Passes the ends of leases to its listeners, which come after the log has begun. */
  private static final class Relay implements LeaseEndFeed.Listener {
    private final List<LeaseEndFeed.Listener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void ended(LeaseEnd end) {
      listeners.forEach(listener -> listener.ended(end));
    }

    @Override
    public void restored() {
      listeners.forEach(LeaseEndFeed.Listener::restored);
    }
  }

  /** The epochs and the bound on state that coordination has decided at this place of the log. */
  private record Decided(CoordinationMachine machine) implements Fences {
    @Override
    public Epoch epochOf(ShardId shard) {
      return machine.epochOf(shard);
    }

    @Override
    public long maxSize() {
      return machine.stateBound();
    }
  }

  private final RaftMember member;
  private final NodeCoordination coordination;
  private final JournalStore journal;
  private final Relay leaseEnds;
  private final WatchHub watches;
  private final Administration administration;
  private final StateCopies copies;
  private final StateAlarm alarm;
  private final ScheduledExecutorService thread;
  private final ExecutorService watching;

  private Agreement(
      RaftMember member,
      NodeCoordination coordination,
      JournalStore journal,
      Relay leaseEnds,
      WatchHub watches,
      Administration administration,
      StateCopies copies,
      StateAlarm alarm,
      ScheduledExecutorService thread,
      ExecutorService watching) {
    this.member = member;
    this.coordination = coordination;
    this.journal = journal;
    this.leaseEnds = leaseEnds;
    this.watches = watches;
    this.administration = administration;
    this.copies = copies;
    this.alarm = alarm;
    this.thread = thread;
    this.watching = watching;
  }

  /**
   * Opens the log and begins to take part.
   *
   * @param failed is told why the process must end, if the member fails while it runs
   * @throws StartFailure if it cannot; then nothing of it is left running
   */
  public static Agreement start(
      HoldfastSettings settings,
      DataDirectory data,
      LongSupplier random,
      Consumer<NodeExitCode> failed)
      throws StartFailure {
    ScheduledExecutorService thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "coordination");
              made.setDaemon(true);
              return made;
            });
    CoordinationMachine agreed = new CoordinationMachine(random.getAsLong());
    JournalStateMachine kept =
        new JournalStateMachine(Bounds.DEFAULT, new Decided(agreed), random.getAsLong());
    Relay leaseEnds = new Relay();
    kept.listen(leaseEnds);
    ExecutorService watching =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread made = new Thread(task, "watches");
              made.setDaemon(true);
              return made;
            });
    WatchHub watches = new WatchHub(settings.watch(), watching);
    kept.follow(watches);
    NodeCoordination coordination =
        new NodeCoordination(
            agreed, ClusterTerms.of(settings).session(), new SystemClocks(), thread);
    var unused = coordination.failed().thenAccept(error -> failed.accept(NodeExitCode.INTERNAL));
    SharedLog machines =
        new SharedLog(
            // The journal first: who hears of a shard must find what was written before.
            List.of(
                new SharedLog.Part(JournalStateMachine.CODE, kept),
                new SharedLog.Part(CoordinationMachine.CODE, agreed)));
    RaftMember member;
    try {
      member = RaftMember.start(settings, data, machines, random, failed);
    } catch (StartFailure | RuntimeException e) {
      thread.shutdownNow();
      watching.shutdownNow();
      throw e;
    }
    JournalStore journal =
        new RaftJournalStore(
            member.log(),
            kept,
            Bounds.DEFAULT.verdicts(),
            RaftJournalStore.MANY,
            task -> {
              var unusedToo = thread.schedule(task, JOURNAL_PAUSE_MS, TimeUnit.MILLISECONDS);
            });
    coordination.begin(member.log());
    StateAlarm alarm = new StateAlarm(() -> journal.version().fullness());
    var unusedThree =
        thread.scheduleWithFixedDelay(alarm, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    Administration administration =
        new ClusterAdministration(member.log(), member.control(), coordination, random);
    return new Agreement(
        member,
        coordination,
        journal,
        leaseEnds,
        watches,
        administration,
        new StateCopying(member.control(), machines, journal::version, administration),
        alarm,
        thread,
        watching);
  }

  /** The replicated log. */
  public ConsensusLog log() {
    return member.log();
  }

  RaftMember member() {
    return member;
  }

  /** This node's part in the sessions and shards of all. */
  public NodeCoordination coordination() {
    return coordination;
  }

  /** The journal of this node. */
  public JournalStore journal() {
    return journal;
  }

  /** The public changes of locks, for whoever wants to be told. */
  public WatchHub watches() {
    return watches;
  }

  /** The requests of operators. */
  Administration administration() {
    return administration;
  }

  /** The alarm about a full state, for operators. */
  StateAlarm alarm() {
    return alarm;
  }

  /** Copies of all that the log drives. */
  StateCopies copies() {
    return copies;
  }

  /** Tells of the ends of leases from now on. What ended before is found in the journal. */
  void tellLeaseEnds(LeaseEndFeed.Listener listener) {
    leaseEnds.listeners.add(listener);
  }

  /** Tells from now on which shard has come to an owner, as soon as this node has heard of it. */
  void tellMoves(Consumer<ShardId> listener) {
    var unused = coordination.listen(ShardMoves.to(listener));
  }

  @Override
  public NodeIdentity identity() {
    return new NodeIdentity(
        coordination.read(CoordinationState::clusterId), member.log().self().value());
  }

  @Override
  public Revision revision() {
    return journal.version().revision();
  }

  @Override
  public long wallMs() {
    return System.currentTimeMillis();
  }

  @Override
  public long term() {
    return member.log().leadership().term();
  }

  /** Asks it to stop; the stage completes when files and port are let go. */
  public CompletionStage<Void> stop() {
    member.close();
    // The log's thread hands work over until it ends.
    return member
        .stopped()
        .whenComplete(
            (done, failure) -> {
              thread.shutdown();
              watching.shutdown();
            });
  }

  @Override
  public void close() {
    var unused = stop();
  }
}
