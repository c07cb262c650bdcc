package io.holdfast.simulation.raft;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.node.MemberHost;
import io.holdfast.raft.node.Reactions;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.Violation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A member's surroundings in the simulation; tells the invariants all that passes by. */
final class SimulatedHost implements MemberHost {

  private static final int REACTIONS_MAX = 1_000;

  private final RaftWorld world;
  private final SimulatedMember member;
  private final MemberReport report;
  private @Nullable RaftCore core;
  private @Nullable Reactions reactions;
  private long tickAtUs;
  private long knownCommit;

  SimulatedHost(RaftWorld world, SimulatedMember member, MemberReport report) {
    this.world = world;
    this.member = member;
    this.report = report;
  }

  /** Of a process that begins, and knows that so much is committed. */
  void begin(RaftCore running, long committed) {
    core = running;
    reactions = new Reactions(running, this);
    knownCommit = committed;
    tickAtUs = Long.MAX_VALUE;
  }

  void settle(RaftCore running) {
    Reactions carrying = Objects.requireNonNull(reactions);
    int count = 0;
    for (Ready ready = running.ready(); ready != null; ready = running.ready()) {
      if (count++ > REACTIONS_MAX) {
        throw new Violation("Progress", member + " never comes to rest");
      }
      if (!ready.writes()) {
        observeCommit(running);
      }
      carrying.carryOut(ready);
    }
    observeCommit(running);
    scheduleTick(running);
  }

  @Override
  public void write(Ready ready) {
    RaftCore running = Objects.requireNonNull(core);
    report.appended(running, ready, member.disk().memory());
    member.disk().write(ready);
    observeCommit(running);
  }

  @Override
  public void sync(Runnable synced) {
    long writes = member.disk().writes();
    member.later(
        world.syncUs(member.id()),
        new Scheduler.Words(member, "synced"),
        () -> {
          member.disk().synced(writes);
          member.input(running -> synced.run());
        });
  }

  @Override
  public @Nullable Bytes piece(Ready.SnapshotRead piece) {
    return member.disk().log().holds(piece.snapshot())
        ? member.disk().piece(piece.snapshot(), piece.offset(), piece.length())
        : null;
  }

  @Override
  public void compactBefore(long first) {
    member.disk().compactBefore(first);
  }

  @Override
  public void send(Message message) {
    world.tell(each -> each.sent(member, message));
    world.network().send(message);
  }

  @Override
  public void flush() {}

  @Override
  public void restore(SnapshotMeta snapshot) {
    byte[] bytes = member.disk().snapshotBytes();
    member.machine().restore(bytes);
    member.toGuest(each -> StateMachine.restore(each, snapshot.index(), bytes));
    world.tell(each -> each.restored(member, snapshot.index(), member.machine().digest()));
  }

  @Override
  public void apply(Entry entry) {
    member.machine().apply(entry);
    world.tell(each -> each.applied(member, entry));
    member.toGuest(each -> Reactions.give(each, StateMachine.withoutId(entry)));
  }

  @Override
  public void batchApplied(long index) {
    member.toGuest(each -> each.batchApplied(index));
  }

  @Override
  public void ended(ProposalOutcome outcome) {
    report.outcome(outcome);
    member.toGuest(each -> each.outcome(outcome));
  }

  @Override
  public void ended(ReadOutcome outcome) {
    report.read(outcome);
    member.toGuest(each -> each.read(outcome));
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    report.leadership(leadership);
    member.toGuest(each -> each.leadershipChanged(leadership));
  }

  private void scheduleTick(RaftCore running) {
    long dueUs = member.clock().reachedAtUs(running.nextTickMs());
    long atUs = Math.max(dueUs, world.scheduler().nowUs() + 100);
    if (atUs >= tickAtUs) {
      return;
    }
    tickAtUs = atUs;
    long during = member.incarnation();
    world
        .scheduler()
        .after(
            atUs - world.scheduler().nowUs(),
            new Scheduler.Words(member, "ticks"),
            () -> {
              if (during == member.incarnation() && tickAtUs == atUs) {
                tickAtUs = Long.MAX_VALUE;
                if (!member.isFrozen()) {
                  member.input(now -> {});
                }
              }
            });
  }

  void observeCommit(RaftCore running) {
    long commit = running.commit();
    if (commit > knownCommit) {
      long from = knownCommit;
      knownCommit = commit;
      world.tell(each -> each.committed(member, from, commit));
    }
  }
}
