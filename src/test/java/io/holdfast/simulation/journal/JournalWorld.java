package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Replay;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.raft.Guest;
import io.holdfast.simulation.raft.RaftWorld;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Everything there is in one run: the nodes and their log, clients, chance, and what must hold. */
public final class JournalWorld {

  public static final int SHARDS = 2;

  /** Made once: invariants ask for them after each event. */
  public static final List<ShardId> ALL_SHARDS = ShardId.range(SHARDS);

  static final ShardTerms TERMS = ShardTerms.of(SHARDS);

  static final int KEYS_A_SHARD = 3;

  private final Scheduler scheduler;
  private final SplittableRandom chance;
  private final RaftWorld raft;
  private final Map<MemberId, NodeProcess> processes = new TreeMap<>();
  private final Chronicle chronicle;
  private final SameState sameState = new SameState(this);
  private final Tally tally = new Tally();
  private final OneWriter oneWriter = new OneWriter(this);
  private final List<JournalInvariant> invariants = new ArrayList<>();
  private final List<JournalInvariant.EachEvent> eachEvent = new ArrayList<>();
  private final Tenancy tenancy;
  private final List<Change> changes = new ArrayList<>();
  private final Clients clients = new Clients();
  private final Shutdown shutdown;
  private final Manners manners;
  private final Quarantine quarantine = new Quarantine(this);
  private long proposals;
  private boolean calm;
  private boolean ended;
  private @Nullable RuntimeException failure;

  /** Ends the process of a member. */
  interface Shutdown {
    void exits(SimulatedMember member);

    /** Somebody ends it, and has it come back later. */
    void kills(SimulatedMember member, long downUs);
  }

  JournalWorld(
      Scheduler scheduler,
      SplittableRandom chance,
      io.holdfast.raft.core.Settings settings,
      boolean gathers,
      boolean shortOfRoom,
      Tenancy tenancy,
      Shutdown shutdown) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.tenancy = tenancy;
    this.shutdown = shutdown;
    chronicle = new Chronicle(this, tenancy.bounds());
    Manners any = Manners.any(chance);
    manners = shortOfRoom ? Manners.SHORT_OF_ROOM : any;
    raft = new RaftWorld(scheduler, chance, settings, gathers, this::begin);
    invariants.addAll(
        List.of(
            oneWriter,
            new MinorityRefuses(this),
            new OneValidOwner(this),
            new NodeStopsFirst(this),
            new NoRevival(),
            new OneFormation(this),
            tally,
            sameState));
    invariants.addAll(tenancy.invariants(this));
    for (JournalInvariant invariant : invariants) {
      if (invariant instanceof JournalInvariant.EachEvent each) {
        eachEvent.add(each);
      }
    }
  }

  private Guest begin(SimulatedMember member) {
    NodeProcess process = new NodeProcess(this, member);
    processes.put(member.id(), process);
    return process.replica();
  }

  void tell(Consumer<JournalInvariant> event) {
    for (int i = 0; i < invariants.size(); i++) {
      event.accept(invariants.get(i));
    }
  }

  /** Does something in a callback, whose failure must not get lost. */
  public void guard(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      failure = failure == null ? e : failure;
    }
  }

  /** An event is over. */
  void happened() {
    for (int i = 0; i < eachEvent.size(); i++) {
      eachEvent.get(i).happened();
    }
    if (failure != null) {
      throw failure;
    }
  }

  void exits(SimulatedMember member) {
    shutdown.exits(member);
  }

  /** The process is killed, and comes back after this time. */
  public void kill(NodeProcess process, long downUs) {
    shutdown.kills(process.member(), downUs);
  }

  /** The member's process has ended. */
  void ended(SimulatedMember member) {
    processes.remove(member.id());
  }

  /** All that run now, also those that stand still. */
  public Collection<NodeProcess> processes() {
    return processes.values();
  }

  public @Nullable NodeProcess processOf(SimulatedMember member) {
    return processes.get(member.id());
  }

  // ------------------------------------------------------------------ clients

  Clients clients() {
    return clients;
  }

  String keyOf(ShardId shard, SplittableRandom by) {
    return key(shard, by.nextInt(KEYS_A_SHARD));
  }

  static String key(ShardId shard, int number) {
    return "lock-" + shard.value() + "-" + number;
  }

  Change change(String key, Change.Kind kind, int client, long token, int ttlMs, Ownership under) {
    Change change =
        new Change(changes.size(), key, kind, client, token, ttlMs, under, scheduler.nowUs());
    changes.add(change);
    return change;
  }

  /** Those of locks; the event of a lease is empty. */
  List<Change> changes(List<Bytes> events) {
    return !tenancy.isModel()
        ? List.of()
        : events.stream()
            .flatMap(event -> Change.idsOf(event).stream())
            .map(id -> changes.get(id.intValue()))
            .toList();
  }

  LockView view(Replay replay) {
    Bytes state = replay.state();
    LockView view = state == null ? LockView.NEW : LockView.of(state);
    for (Change change : changes(replay.events())) {
      view = view.after(change);
    }
    return view;
  }

  // ------------------------------------------------------------------ what all share

  long nextProposal() {
    return ++proposals;
  }

  public long nowUs() {
    return scheduler.nowUs();
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public SplittableRandom chance() {
    return chance;
  }

  public RaftWorld raft() {
    return raft;
  }

  public Chronicle chronicle() {
    return chronicle;
  }

  Tenancy tenancy() {
    return tenancy;
  }

  OneWriter oneWriter() {
    return oneWriter;
  }

  Tally tally() {
    return tally;
  }

  SameState sameState() {
    return sameState;
  }

  Manners manners() {
    return manners;
  }

  Quarantine quarantine() {
    return quarantine;
  }

  /** True if nothing comes from one process to the actors of the other now. */
  public boolean isCut(NodeProcess from, NodeProcess to) {
    return raft.network().isCut(from.member().id(), to.member().id())
        || quarantine.isBetween(from, to);
  }

  /** True if the time of trouble is over. */
  public boolean isCalm() {
    return calm;
  }

  void calm() {
    calm = true;
  }

  /** Nobody begins anything any more. */
  void end() {
    ended = true;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** True if every node has applied all there is, and nothing is on its way. */
  boolean isSettled() {
    return processes.values().stream()
        .allMatch(each -> each.isIdle() && each.replica().hasApplied(chronicle.index()));
  }
}
