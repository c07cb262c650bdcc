package holdfast.simulation.raft;

import holdfast.raft.core.Entry;
import holdfast.raft.core.Leadership;
import holdfast.raft.core.MemberCodec;
import holdfast.raft.core.Message;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.Ready;
import holdfast.raft.core.SnapshotMeta;
import holdfast.simulation.Violation;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Carries out what a member's core wants: writes, sends and applies, and looks again when it is
 * due.
 */
final class Reactions {

  private static final int REACTIONS_MAX = 1_000;

  private record Held(long number, Message message) {}

  private final RaftWorld world;
  private final SimulatedMember member;
  private final MemberReport report;
  private Deque<Held> held = new ArrayDeque<>();
  private boolean syncing;
  private long written;
  private long tickAtUs;
  private long knownCommit;

  Reactions(RaftWorld world, SimulatedMember member, MemberReport report) {
    this.world = world;
    this.member = member;
    this.report = report;
  }

  /** Of a process that begins, and knows that so much is committed. */
  void begin(long committed) {
    knownCommit = committed;
    written = 0;
    syncing = false;
    tickAtUs = Long.MAX_VALUE;
  }

  /** The process has ended: nothing of it is sent any more. */
  void forget() {
    held = new ArrayDeque<>();
  }

  void settle(RaftCore running) {
    int reactions = 0;
    for (Ready ready = running.ready(); ready != null; ready = running.ready()) {
      if (reactions++ > REACTIONS_MAX) {
        throw new Violation("Progress", member + " never comes to rest");
      }
      carryOut(running, ready);
    }
    observeCommit(running);
    scheduleTick(running);
  }

  private void carryOut(RaftCore running, Ready ready) {
    report.appended(running, ready, member.disk().memory());
    member.disk().write(ready);
    if (ready.leadership() != null) {
      report.leadership(ready.leadership());
    }
    observeCommit(running);
    ready.sendNow().forEach(this::send);
    ready.sendWhenDurable().forEach(message -> held.add(new Held(ready.number(), message)));
    for (Ready.SnapshotRead read : ready.snapshotReads()) {
      if (member.disk().log().holds(read.snapshot())) {
        send(read.chunk(member.disk().piece(read.snapshot(), read.offset(), read.length())));
      }
    }
    written = ready.number();
    if (ready.restore() != null) {
      restore(ready.restore());
    }
    for (Entry entry : ready.committed()) {
      member.machine().apply(entry);
      world.tell(each -> each.applied(member, entry));
      member.toGuest(each -> give(each, entry));
    }
    if (!ready.committed().isEmpty()) {
      member.toGuest(each -> each.batchApplied(member.machine().index()));
    }
    ready.outcomes().forEach(report::outcome);
    ready.outcomes().forEach(outcome -> member.toGuest(each -> each.outcome(outcome)));
    ready.reads().forEach(report::read);
    ready.reads().forEach(outcome -> member.toGuest(each -> each.read(outcome)));
    Leadership leadership = ready.leadership();
    if (leadership != null) {
      member.toGuest(each -> each.leadershipChanged(leadership));
    }
    sync();
  }

  private static void give(Guest to, Entry entry) {
    switch (entry.kind()) {
      case PROPOSAL ->
          to.apply(entry.index(), entry.term(), StateMachine.withoutId(entry.payload()));
      case FORMATION -> to.founded(entry.index(), MemberCodec.formation(entry.payload()));
      case CONFIGURATION ->
          to.configured(entry.index(), MemberCodec.configuration(entry.payload()).members());
      case NOOP -> {}
    }
  }

  /** Brings what is written to the disk; several reactions share one sync. */
  void sync() {
    if (syncing || member.core() == null) {
      return;
    }
    if (member.disk().unsynced() == 0) {
      sendHeld(written);
      return;
    }
    syncing = true;
    int count = member.disk().unsynced();
    long upTo = written;
    member.later(
        world.syncUs(),
        member + " synced",
        () -> {
          syncing = false;
          member.disk().synced(count);
          sendHeld(upTo);
          member.input(running -> running.persisted(upTo));
          sync();
        });
  }

  private void sendHeld(long upTo) {
    while (!held.isEmpty() && held.peek().number <= upTo) {
      send(held.remove().message);
    }
  }

  private void send(Message message) {
    world.tell(each -> each.sent(member, message));
    world.network().send(message);
  }

  private void restore(SnapshotMeta snapshot) {
    byte[] bytes = member.disk().snapshotBytes();
    member.machine().restore(bytes);
    member.toGuest(each -> StateMachine.restore(each, snapshot.index(), bytes));
    world.tell(each -> each.restored(member, snapshot.index(), member.machine().digest()));
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
            member + " ticks",
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
