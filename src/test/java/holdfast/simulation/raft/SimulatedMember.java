package holdfast.simulation.raft;

import holdfast.raft.core.Configuration;
import holdfast.raft.core.Entry;
import holdfast.raft.core.EntryKind;
import holdfast.raft.core.Formation;
import holdfast.raft.core.HardState;
import holdfast.raft.core.Leadership;
import holdfast.raft.core.MemberCodec;
import holdfast.raft.core.MemberId;
import holdfast.raft.core.Message;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.ReadOutcome;
import holdfast.raft.core.Ready;
import holdfast.raft.core.Role;
import holdfast.raft.core.SnapshotMeta;
import holdfast.simulation.Violation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One member's process and disk: does for the core what a node does, in virtual time. */
final class SimulatedMember {

  private static final int REACTIONS_MAX = 1_000;

  private record Held(long number, Message message) {}

  private final RaftWorld world;
  private final MemberId id;
  private final SimulatedDisk disk;
  private @Nullable RaftCore core;
  private StateMachine machine = new StateMachine();
  private Deque<Held> held = new ArrayDeque<>();
  private long incarnation;
  private long clockOffsetMs;
  private double clockRate = 1;
  private long clockSetUs;
  private @Nullable Formation formation;
  private long foundsAtUs;
  private boolean syncing;
  private long written;
  private long tickAtUs;
  private long knownCommit;
  private Configuration knownConfiguration = Configuration.NONE;
  private long knownConfigurationIndex;

  SimulatedMember(RaftWorld world, MemberId id) {
    this.world = world;
    this.id = id;
    disk = new SimulatedDisk(entry -> world.tell(each -> each.overwritten(this, entry)));
  }

  /** Is one of the initial members, and tries to found the cluster from {@code atUs} on. */
  void founds(Formation initial, long atUs) {
    formation = initial;
    foundsAtUs = atUs;
    world.scheduler().after(atUs, id + " founds", this::found);
  }

  private void found() {
    Formation initial = formation;
    if (initial != null && world.scheduler().nowUs() >= foundsAtUs) {
      input(running -> running.form(initial));
    }
  }

  void start() {
    incarnation++;
    machine = new StateMachine();
    LogImage log = disk.memory();
    SnapshotMeta snapshot = log.snapshot();
    knownCommit = 0;
    if (snapshot != null) {
      knownCommit = snapshot.index();
    }
    HardState hardState = log.hardState();
    core =
        new RaftCore(
            id,
            world.settings(),
            incarnation,
            log,
            hardState,
            world.chance().nextLong(),
            clockMs());
    knownConfiguration = core.configuration();
    knownConfigurationIndex = core.configurationIndex();
    written = 0;
    syncing = false;
    tickAtUs = Long.MAX_VALUE;
    settle();
    found();
  }

  void crash() {
    core = null;
    held = new ArrayDeque<>();
    disk.crash(world.chance());
  }

  boolean isUp() {
    return core != null;
  }

  /** Gives the core an input and carries out its reaction; nothing if the process is down. */
  void input(Consumer<RaftCore> input) {
    RaftCore running = core;
    if (running != null) {
      running.tick(clockMs());
      input.accept(running);
      settle();
    }
  }

  void receive(Message message) {
    input(running -> running.receive(message));
  }

  /** Takes a snapshot of the state as it is; it is on the disk a while later. */
  void takeSnapshot() {
    RaftCore running = core;
    if (running == null || machine.index() == 0) {
      return;
    }
    SnapshotMeta own = disk.memory().snapshot();
    if (machine.index() <= (own == null ? 0 : own.index()) || running.configuration().isNone()) {
      return;
    }
    byte[] bytes = machine.toBytes(id.value(), world.chance().nextInt(60));
    SnapshotMeta meta =
        running
            .describeSnapshot(machine.index())
            .written(bytes.length, id.value() << 40 | machine.index());
    long during = incarnation;
    world
        .scheduler()
        .after(
            world.chance().nextInt(30_000),
            id + " wrote " + meta,
            () -> {
              SnapshotMeta newest = disk.memory().snapshot();
              boolean stale = newest != null && newest.index() >= meta.index();
              if (during == incarnation && core != null && !stale) {
                disk.snapshot(meta, bytes);
                sync();
                input(RaftCore::snapshotTaken);
              }
            });
  }

  /** Lets the clock run faster or slower from now on. */
  void clockRate(double rate) {
    clockOffsetMs = clockMs();
    clockSetUs = world.scheduler().nowUs();
    clockRate = rate;
  }

  private long clockMs() {
    return clockOffsetMs + (long) ((world.scheduler().nowUs() - clockSetUs) * clockRate / 1000);
  }

  private void settle() {
    RaftCore running = core;
    if (running == null) {
      return;
    }
    int reactions = 0;
    for (Ready ready = running.ready(); ready != null; ready = running.ready()) {
      if (reactions++ > REACTIONS_MAX) {
        throw new Violation("Progress", id + " never comes to rest");
      }
      carryOut(running, ready);
    }
    observeCommit(running);
    scheduleTick(running);
  }

  private void carryOut(RaftCore running, Ready ready) {
    tellAppended(running, ready);
    disk.write(ready);
    if (ready.leadership() != null) {
      tellLeadership(ready.leadership());
    }
    observeCommit(running);
    ready.sendNow().forEach(this::send);
    ready.sendWhenDurable().forEach(message -> held.add(new Held(ready.number(), message)));
    for (Ready.SnapshotRead read : ready.snapshotReads()) {
      if (disk.memory().holds(read.snapshot())) {
        send(read.chunk(disk.memory().piece(read.snapshot(), read.offset(), read.length())));
      }
    }
    written = ready.number();
    if (ready.restore() != null) {
      restore(ready.restore());
    }
    for (Entry entry : ready.committed()) {
      machine.apply(entry);
      world.tell(each -> each.applied(this, entry));
    }
    ready.outcomes().forEach(this::tellOutcome);
    ready.reads().forEach(this::tellRead);
    sync();
  }

  /** Brings what is written to the disk; several reactions share one sync. */
  private void sync() {
    if (syncing) {
      return;
    }
    if (disk.unsynced() == 0) {
      sendHeld(written);
      return;
    }
    syncing = true;
    int count = disk.unsynced();
    long upTo = written;
    long during = incarnation;
    world
        .scheduler()
        .after(
            world.syncUs(),
            id + " synced",
            () -> {
              if (during == incarnation && core != null) {
                syncing = false;
                disk.synced(count);
                sendHeld(upTo);
                input(running -> running.persisted(upTo));
                sync();
              }
            });
  }

  private void sendHeld(long upTo) {
    while (!held.isEmpty() && held.peek().number <= upTo) {
      send(held.remove().message);
    }
  }

  private void send(Message message) {
    world.tell(each -> each.sent(this, message));
    world.network().send(message);
  }

  private void restore(SnapshotMeta snapshot) {
    machine.restore(disk.memory().snapshotBytes());
    world.tell(each -> each.restored(this, snapshot.index(), machine.digest()));
  }

  private void scheduleTick(RaftCore running) {
    double sinceSetMs = running.nextTickMs() - clockOffsetMs;
    long dueUs = clockSetUs + (long) (sinceSetMs * 1000 / clockRate) + 10;
    long atUs = Math.max(dueUs, world.scheduler().nowUs() + 100);
    if (atUs >= tickAtUs) {
      return;
    }
    tickAtUs = atUs;
    long during = incarnation;
    world
        .scheduler()
        .after(
            atUs - world.scheduler().nowUs(),
            id + " ticks",
            () -> {
              if (during == incarnation && tickAtUs == atUs) {
                tickAtUs = Long.MAX_VALUE;
                input(now -> {});
              }
            });
  }

  private void tellAppended(RaftCore running, Ready ready) {
    LogImage log = disk.memory();
    long previous = 0;
    if (!ready.entries().isEmpty()) {
      long before = ready.entries().get(0).index() - 1;
      Ready.Install install = ready.install();
      previous =
          install != null && install.snapshot().index() == before
              ? install.snapshot().term()
              : log.term(before);
    }
    for (Entry entry : ready.entries()) {
      long previousTerm = previous;
      world.tell(each -> each.appended(this, previousTerm, entry));
      previous = entry.term();
      boolean own = running.leadership().leads() && entry.term() == running.leadership().term();
      if (own && entry.kind() == EntryKind.CONFIGURATION) {
        Configuration before = knownConfiguration;
        Configuration after = MemberCodec.configuration(entry.payload());
        world.tell(each -> each.reconfigured(this, before, after));
        knownConfiguration = after;
        knownConfigurationIndex = entry.index();
      }
    }
    knownConfiguration = running.configuration();
    knownConfigurationIndex = running.configurationIndex();
  }

  /** Whether the configuration before the newest is committed. */
  boolean isCommittedConfiguration() {
    RaftCore running = core;
    return running != null && knownConfigurationIndex <= running.commit();
  }

  /** What its disk's snapshot stands for. */
  long snapshotIndex() {
    SnapshotMeta snapshot = disk.durable().snapshot();
    return snapshot == null ? 0 : snapshot.index();
  }

  private void tellLeadership(Leadership leadership) {
    if (leadership.role() == Role.LEADER) {
      world.tell(each -> each.elected(this, leadership.term()));
    }
  }

  private void observeCommit(RaftCore running) {
    long commit = running.commit();
    if (commit > knownCommit) {
      long from = knownCommit;
      knownCommit = commit;
      world.tell(each -> each.committed(this, from, commit));
    }
  }

  private void tellOutcome(Outcome outcome) {
    if (outcome.isApplied()) {
      world.tell(each -> each.acknowledged(this, outcome.id(), outcome.index()));
    } else if (!outcome.isUnknown()) {
      world.tell(each -> each.denied(this, outcome.id()));
    }
  }

  private void tellRead(ReadOutcome read) {
    if (read.isSafe()) {
      world.tell(each -> each.readAnswered(this, read.id()));
    }
  }

  /** All about it in one line. */
  String describe() {
    RaftCore running = core;
    LogImage log = disk.memory();
    String where =
        String.format(
            "%s log %d..%d %s applied %d",
            id, log.firstIndex(), log.lastIndex(), log.hardState(), machine.index());
    return running == null
        ? where + " down"
        : String.format(
            "%s %s commit %d configuration %d %s",
            where,
            running.leadership(),
            running.commit(),
            running.configurationIndex(),
            running.configuration());
  }

  MemberId id() {
    return id;
  }

  SimulatedDisk disk() {
    return disk;
  }

  StateMachine machine() {
    return machine;
  }

  @Nullable RaftCore core() {
    return core;
  }

  boolean leads() {
    RaftCore running = core;
    return running != null && running.leadership().leads();
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
