package io.holdfast.raft.node;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.MemberCodec;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Carries out the core's reactions: what it owes the disk, the peers, the state machine and the
 * callers, in the order it owes them. The simulation runs the same class.
 *
 * <p>A leader's followers get its entries before its own disk does, so that all disks work at once.
 * What is committed is applied while there is nothing to confirm to a leader, which else waits.
 *
 * <p>One sync at a time is on its way, and covers what was written before it began. Reactions go on
 * meanwhile; their answers wait for a sync of their own.
 */
public final class Reactions {

  private record Held(long number, Message message) {}

  private final RaftCore core;
  private final MemberHost host;
  private final Deque<Held> held = new ArrayDeque<>();
  private long written;
  private boolean unsynced;
  private boolean syncing;

  /** Those of one process of a member. */
  public Reactions(RaftCore core, MemberHost host) {
    this.core = core;
    this.host = host;
  }

  /** Carries out one reaction; each is given once, in their order. */
  public void carryOut(Ready ready) {
    ready.sendNow().forEach(host::send);
    host.flush();
    if (ready.writes()) {
      host.write(ready);
    }
    ready.snapshotReads().forEach(this::send);
    written = ready.number();
    unsynced |= ready.mustSync();
    ready.sendWhenDurable().forEach(message -> held.add(new Held(ready.number(), message)));
    boolean owesConfirmation = !held.isEmpty();
    if (!owesConfirmation) {
      apply(ready);
    }
    sync();
    if (owesConfirmation) {
      apply(ready);
    }
    if (ready.compactBefore() > 0) {
      host.compactBefore(ready.compactBefore());
    }
  }

  /** True if the disk has all that was carried out. */
  boolean isAllDurable() {
    return !unsynced && !syncing;
  }

  private void sync() {
    if (syncing) {
      return;
    }
    if (!unsynced) {
      sendHeld(written);
      return;
    }
    syncing = true;
    unsynced = false;
    long upTo = written;
    host.sync(() -> synced(upTo));
  }

  private void synced(long upTo) {
    syncing = false;
    sendHeld(upTo);
    core.persisted(upTo);
    sync();
  }

  private void sendHeld(long upTo) {
    boolean any = false;
    while (!held.isEmpty() && held.peek().number <= upTo) {
      host.send(held.remove().message);
      any = true;
    }
    if (any) {
      host.flush();
    }
  }

  private void send(Ready.SnapshotRead piece) {
    Bytes bytes = host.piece(piece);
    if (bytes != null) {
      host.send(piece.chunk(bytes));
    }
  }

  private void apply(Ready ready) {
    if (ready.restore() != null) {
      host.restore(ready.restore());
    }
    List<Entry> committed = ready.committed();
    committed.forEach(host::apply);
    if (!committed.isEmpty()) {
      host.batchApplied(committed.get(committed.size() - 1).index());
    }
    for (ProposalOutcome outcome : ready.outcomes()) {
      host.ended(outcome);
    }
    for (ReadOutcome outcome : ready.reads()) {
      host.ended(outcome);
    }
    if (ready.leadership() != null) {
      host.leadershipChanged(ready.leadership());
    }
  }

  /** Gives a committed entry to a state machine, as what it is. */
  public static void give(StateMachine machine, Entry entry) {
    switch (entry.kind()) {
      case PROPOSAL -> machine.apply(entry.index(), entry.term(), entry.payload());
      case FORMATION -> machine.founded(entry.index(), MemberCodec.formation(entry.payload()));
      case CONFIGURATION -> {
        Configuration changed = MemberCodec.configuration(entry.payload());
        machine.configured(
            entry.index(),
            changed.everyone().stream().flatMap(id -> changed.member(id).stream()).toList());
      }
      case NOOP -> {}
    }
  }
}
