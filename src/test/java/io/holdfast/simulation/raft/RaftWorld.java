package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.Settings;
import io.holdfast.simulation.Scheduler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything there is in one run: members, network, time, chance, and what must hold. */
public final class RaftWorld {

  private final Scheduler scheduler;
  private final SplittableRandom chance;
  private final Settings settings;
  private final SimulatedNetwork network;
  private final Map<MemberId, SimulatedMember> members = new TreeMap<>();
  private final CommittedLog committed = new CommittedLog();
  private final List<Invariant> invariants;
  private final boolean realLogs;
  private final Map<MemberId, Integer> slowUs = new TreeMap<>();
  private int allSlowUs;
  private int stallPercent;
  private final boolean gathers;
  private final @Nullable Function<SimulatedMember, Guest> guests;
  private Consumer<SimulatedMember> onCrash = member -> {};

  /**
   * @param realLogs true if the members have the real log on disk, false for a model of it
   * @param gathers true if a member may handle several inputs in one reaction
   */
  RaftWorld(
      Scheduler scheduler,
      SplittableRandom chance,
      Settings settings,
      boolean realLogs,
      boolean gathers) {
    this(scheduler, chance, settings, realLogs, gathers, null);
  }

  /**
   * A world whose members run more on their log.
   *
   * @param guests makes what a member's next process runs
   */
  public RaftWorld(
      Scheduler scheduler,
      SplittableRandom chance,
      Settings settings,
      boolean gathers,
      Function<SimulatedMember, Guest> guests) {
    this(scheduler, chance, settings, /* realLogs= */ false, gathers, guests);
  }

  private RaftWorld(
      Scheduler scheduler,
      SplittableRandom chance,
      Settings settings,
      boolean realLogs,
      boolean gathers,
      @Nullable Function<SimulatedMember, Guest> guests) {
    this.guests = guests;
    this.gathers = gathers;
    this.realLogs = realLogs;
    this.scheduler = scheduler;
    this.chance = chance;
    this.settings = settings;
    network = new SimulatedNetwork(scheduler, chance.split(), this::deliver);
    invariants =
        List.of(
            committed,
            new ElectionSafety(),
            new LogMatching(),
            new LeaderCompleteness(committed),
            new CommittedIsDurable(committed, this),
            new StateMachineSafety(committed),
            new NothingAcknowledgedLost(committed),
            new LinearizableReads(committed),
            new ConfigurationSafety(),
            new PromisesAreDurable());
  }

  void tell(Consumer<Invariant> event) {
    for (int i = 0; i < invariants.size(); i++) {
      event.accept(invariants.get(i));
    }
  }

  private void deliver(Message message) {
    SimulatedMember receiver = members.get(message.to());
    if (receiver != null) {
      receiver.receive(message);
    }
  }

  /** Adds an initial member, and starts it. */
  public SimulatedMember found(MemberId id, Formation formation) {
    SimulatedMember member = add(id);
    member.founds(formation, 0);
    member.start();
    return member;
  }

  @Nullable Guest newGuest(SimulatedMember member) {
    return guests == null ? null : guests.apply(member);
  }

  /** A proposal is about to be made at the member, of this number. */
  public void proposed(SimulatedMember member, long id) {
    tell(each -> each.proposed(member, id));
  }

  /** A read is about to be asked for at the member, of this number. */
  public void asked(SimulatedMember member, long id) {
    tell(each -> each.readAsked(member, id));
  }

  /** Adds a member with an empty directory; it does not run yet. */
  public SimulatedMember add(MemberId id) {
    SimulatedMember member = new SimulatedMember(this, id);
    members.put(id, member);
    return member;
  }

  MemberDisk newDisk(MemberId id, Consumer<Entry> onOverwritten) {
    return realLogs
        ? new RealLog(id, chance.split(), onOverwritten)
        : new SimulatedDisk(onOverwritten);
  }

  /** The listener to members that crash by a failure of their disk. */
  public void onCrash(Consumer<SimulatedMember> listener) {
    onCrash = listener;
  }

  void crashed(SimulatedMember member) {
    onCrash.accept(member);
  }

  boolean gathers() {
    return gathers;
  }

  /** The time that the next sync of this member takes. */
  long syncUs(MemberId member) {
    long slow = Math.max(allSlowUs, slowUs.getOrDefault(member, 0));
    return slow
        + (chance.nextInt(100) < stallPercent
            ? chance.nextInt(300_000)
            : 100 + chance.nextInt(1_500));
  }

  /** Every sync of everyone takes so much longer from now on. */
  void slowDisks(int us) {
    allSlowUs = us;
  }

  /** Every sync of this member does. */
  void slowDisk(MemberId member, int us) {
    slowUs.put(member, us);
  }

  public void stallPercent(int percent) {
    stallPercent = percent;
  }

  public @Nullable SimulatedMember leader() {
    SimulatedMember newest = null;
    long newestTerm = 0;
    for (SimulatedMember member : members.values()) {
      RaftCore core = member.core();
      if (core != null && core.leadership().leads() && core.leadership().term() > newestTerm) {
        newest = member;
        newestTerm = core.leadership().term();
      }
    }
    return newest;
  }

  /** The highest term that anybody leads. */
  long term() {
    SimulatedMember leader = leader();
    RaftCore core = leader == null ? null : leader.core();
    return core == null ? 0 : core.leadership().term();
  }

  public SimulatedMember anyMember() {
    List<SimulatedMember> all = new ArrayList<>(members.values());
    return all.get(chance.nextInt(all.size()));
  }

  public Collection<SimulatedMember> members() {
    return members.values();
  }

  /** A member that was removed, and whose process has ended, is gone for good. */
  public void forget(MemberId id) {
    members.remove(id);
  }

  public @Nullable SimulatedMember member(MemberId id) {
    return members.get(id);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  SplittableRandom chance() {
    return chance;
  }

  Settings settings() {
    return settings;
  }

  public SimulatedNetwork network() {
    return network;
  }

  CommittedLog committed() {
    return committed;
  }
}
