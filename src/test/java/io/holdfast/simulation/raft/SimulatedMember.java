package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.log.DiskFailed;
import io.holdfast.raft.log.FaultyDisk;
import io.holdfast.simulation.Scheduler;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One member's process and disk: does for the core what a node does, in virtual time. */
public final class SimulatedMember {

  private final RaftWorld world;
  private final MemberId id;
  private final MemberDisk disk;
  private @Nullable RaftCore core;
  private @Nullable Guest guest;
  private StateMachine machine = new StateMachine();
  private final Pause pause = new Pause();
  private final SimulatedClock clock;
  private boolean lost;
  private long incarnation;
  private @Nullable Formation formation;
  private long foundsAtUs;
  private boolean turnDue;
  private final MemberReport report;
  private final SimulatedHost host;

  SimulatedMember(RaftWorld world, MemberId id) {
    this.world = world;
    this.id = id;
    report = new MemberReport(world, this);
    host = new SimulatedHost(world, this, report);
    clock = new SimulatedClock(world.scheduler());
    disk = world.newDisk(id, entry -> world.tell(each -> each.overwritten(this, entry)));
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

  public void start() {
    unlessItFails(this::run);
  }

  private void run() {
    incarnation++;
    machine = new StateMachine();
    guest = world.newGuest(this);
    disk.open();
    RaftLogView log = disk.log();
    SnapshotMeta snapshot = log.snapshot();
    HardState hardState = disk.memory().hardState();
    RaftCore running =
        new RaftCore(
            id,
            world.settings(),
            incarnation,
            log,
            hardState,
            world.chance().nextLong(),
            clock.nowMs());
    core = running;
    report.started(running);
    host.begin(running, snapshot == null ? 0 : snapshot.index());
    settle();
    found();
  }

  public void crash() {
    core = null;
    guest = null;
    turnDue = false;
    pause.forget();
    disk.crash(world.chance());
  }

  /** Its disk fails, or its power goes, in the middle of what it does soon. */
  boolean crashesInWriting() {
    return disk.failsSoon(world.chance());
  }

  /** Its directory is gone for good, and with it the member. */
  public void loseDirectory() {
    crash();
    lost = true;
  }

  /** The process stands still. */
  public void freeze() {
    if (core != null) {
      pause.begin();
    }
  }

  /** The process goes on; first of all it hears the time. */
  public void thaw() {
    if (pause.isOn()) {
      clock.goOn();
      pause.end();
      input(core -> {});
    }
  }

  public boolean isUp() {
    return core != null;
  }

  public boolean isFrozen() {
    return pause.isOn();
  }

  public boolean isLost() {
    return lost;
  }

  /** Gives the core an input and carries out its reaction; nothing if the process is down. */
  public void input(Consumer<RaftCore> input) {
    RaftCore running = core;
    if (pause.isOn()) {
      pause.arrive(() -> input(input));
    } else if (running != null) {
      unlessItFails(
          () -> {
            running.tick(clock.nowMs());
            input.accept(running);
            if (leads()) {
              host.observeCommit(
                  running); // by the quorums of now: a change may follow in this turn
            }
            if (world.gathers() && world.chance().nextInt(3) > 0) {
              settleLater();
            } else {
              settle();
            }
          });
    }
  }

  /** Leaves the reaction for a while, so that more may come together in it. */
  private void settleLater() {
    if (turnDue) {
      return;
    }
    turnDue = true;
    long during = incarnation;
    world
        .scheduler()
        .after(
            world.chance().nextInt(2_000),
            new Scheduler.Words(id, "takes its turn"),
            () -> {
              if (during == incarnation && core != null) {
                takeTurn();
              }
            });
  }

  private void takeTurn() {
    if (pause.isOn()) {
      pause.complete(this::takeTurn);
    } else {
      turnDue = false;
      unlessItFails(this::settle);
    }
  }

  /** Lets the process do something later on, when it is the same one and not frozen. */
  public void later(long delayUs, Object what, Runnable action) {
    long during = incarnation;
    world.scheduler().after(delayUs, what, () -> inSameProcess(during, action));
  }

  private void inSameProcess(long during, Runnable action) {
    if (during != incarnation || core == null) {
      return;
    }
    if (pause.isOn()) {
      pause.complete(() -> unlessItFails(action));
    } else {
      unlessItFails(action);
    }
  }

  private void unlessItFails(Runnable action) {
    try {
      action.run();
    } catch (FaultyDisk.PowerCut | DiskFailed failure) {
      world.scheduler().note(id + " crashes: " + failure);
      crash();
      world.crashed(this);
    }
  }

  void receive(Message message) {
    input(running -> running.receive(message));
  }

  /** Takes a snapshot of the state as it is; it is on the disk a while later. */
  public void takeSnapshot() {
    RaftCore running = core;
    if (running == null || pause.isOn() || machine.index() == 0) {
      return;
    }
    SnapshotMeta own = disk.log().snapshot();
    if (machine.index() <= (own == null ? 0 : own.index()) || running.configuration().isNone()) {
      return;
    }
    byte[] bytes = stateBytes();
    SnapshotMeta meta =
        running
            .describeSnapshot(machine.index())
            .written(bytes.length, id.value() << 40 | machine.index());
    later(
        world.chance().nextInt(30_000),
        id + " wrote " + meta,
        () -> {
          SnapshotMeta newest = disk.log().snapshot();
          boolean isNewer = newest == null || newest.index() < meta.index();
          if (isNewer && disk.snapshot(meta, bytes) != null) {
            input(RaftCore::snapshotTaken);
          }
        });
  }

  private byte[] stateBytes() {
    Guest running = guest;
    return running == null
        ? machine.toBytes(id.value(), world.chance().nextInt(60))
        : machine.toBytes(id.value(), running);
  }

  public SimulatedClock clock() {
    return clock;
  }

  /** The process finds another member's process gone. */
  public void findsGone(MemberId peer) {
    input(
        running -> {
          running.peerGone(peer);
          toGuest(each -> each.peerGone(peer));
        });
  }

  void toGuest(Consumer<Guest> action) {
    Guest running = guest;
    if (running != null) {
      action.accept(running);
    }
  }

  private void settle() {
    RaftCore running = core;
    if (running != null) {
      host.settle(running);
    }
  }

  /** True if the configuration before the newest is committed. */
  boolean isCommittedConfiguration() {
    RaftCore running = core;
    return running != null && report.configurationIndex() <= running.commit();
  }

  /** The index of its disk's snapshot; 0 if there is none. */
  long snapshotIndex() {
    SnapshotMeta snapshot = disk.durable().snapshot();
    return snapshot == null ? 0 : snapshot.index();
  }

  /** All about it in one line. */
  public String describe() {
    RaftCore running = core;
    LogImage log = disk.memory();
    String where =
        String.format(
            "%s log %d..%d %s applied %d",
            id, log.firstIndex(), log.lastIndex(), log.hardState(), machine.index());
    return running == null
        ? where + (lost ? " lost" : " down")
        : String.format(
            "%s %s commit %d configuration %d %s",
            where,
            running.leadership(),
            running.commit(),
            running.configurationIndex(),
            running.configuration());
  }

  public MemberId id() {
    return id;
  }

  /** The number of the process that runs, or ran last. */
  public long incarnation() {
    return incarnation;
  }

  MemberDisk disk() {
    return disk;
  }

  StateMachine machine() {
    return machine;
  }

  public @Nullable RaftCore core() {
    return core;
  }

  public boolean leads() {
    RaftCore running = core;
    return running != null && running.leadership().leads();
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
