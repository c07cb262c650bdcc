package holdfast.raft.node;

import holdfast.raft.ConsensusLog.StateMachine;
import holdfast.raft.core.Bytes;
import holdfast.raft.core.Configuration;
import holdfast.raft.core.Entry;
import holdfast.raft.core.MemberCodec;
import holdfast.raft.core.Message;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.RaftCore;
import holdfast.raft.core.ReadOutcome;
import holdfast.raft.core.Ready;
import holdfast.raft.core.SnapshotMeta;
import holdfast.raft.link.PeerLinks;
import holdfast.raft.log.WriteAheadLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Carries out the core's reactions: what it owes the disk, the peers, the state machine and the
 * callers, in the order it owes them.
 *
 * <p>A leader's followers get its entries before its own disk does, so that all disks work at once.
 * What is committed is applied while there is nothing to confirm to a leader, which else waits.
 */
final class Reactions {

  private final RaftCore core;
  private final WriteAheadLog log;
  private final PeerLinks links;
  private final StateMachine machine;
  private final SnapshotTaking snapshots;
  private final OpenCalls<Outcome> proposals;
  private final OpenCalls<ReadOutcome> reads;

  Reactions(
      RaftCore core,
      WriteAheadLog log,
      PeerLinks links,
      StateMachine machine,
      SnapshotTaking snapshots,
      OpenCalls<Outcome> proposals,
      OpenCalls<ReadOutcome> reads) {
    this.core = core;
    this.log = log;
    this.links = links;
    this.machine = machine;
    this.snapshots = snapshots;
    this.proposals = proposals;
    this.reads = reads;
  }

  void carryOut(Ready ready) {
    for (Message message : ready.sendNow()) {
      links.send(message);
    }
    links.flush();
    if (ready.writes()) {
      log.write(ready);
    }
    for (Ready.SnapshotRead piece : ready.snapshotReads()) {
      send(piece);
    }
    boolean owesConfirmation = !ready.sendWhenDurable().isEmpty();
    if (!owesConfirmation) {
      apply(ready);
    }
    if (ready.mustSync()) {
      log.sync();
      core.persisted(ready.number());
    }
    if (owesConfirmation) {
      for (Message message : ready.sendWhenDurable()) {
        links.send(message);
      }
      links.flush();
      apply(ready);
    }
    if (ready.compactBefore() > 0) {
      log.compactBefore(ready.compactBefore());
    }
  }

  private void send(Ready.SnapshotRead piece) {
    if (log.holds(piece.snapshot())) {
      Bytes bytes = log.snapshots().read(piece.snapshot(), piece.offset(), piece.length());
      links.send(piece.chunk(bytes));
    }
  }

  private void apply(Ready ready) {
    if (ready.restore() != null) {
      restore(ready.restore());
    }
    if (!ready.committed().isEmpty()) {
      for (Entry entry : ready.committed()) {
        apply(entry);
        snapshots.applied(entry);
      }
      machine.batchApplied(ready.committed().get(ready.committed().size() - 1).index());
    }
    for (Outcome outcome : ready.outcomes()) {
      proposals.end(outcome.id(), outcome);
    }
    for (ReadOutcome outcome : ready.reads()) {
      reads.end(outcome.id(), outcome);
    }
    if (ready.leadership() != null) {
      machine.leadershipChanged(ready.leadership());
    }
  }

  private void apply(Entry entry) {
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

  private void restore(SnapshotMeta snapshot) {
    try (InputStream bytes = log.snapshots().stream(snapshot)) {
      machine.restore(snapshot.index(), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the state cannot be restored from [" + snapshot + "]", e);
    }
    snapshots.restored(snapshot.index());
  }
}
