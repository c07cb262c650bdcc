package io.holdfast.raft.node;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.ConsensusLog.StateMachine;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import io.holdfast.raft.link.PeerLinks;
import io.holdfast.raft.log.WriteAheadLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** A member's environment in a process: its log on disk, its links, its calls. */
final class NodeHost implements MemberHost {

  private final WriteAheadLog log;
  private final Syncing syncing;
  private final PeerLinks links;
  private final StateMachine machine;
  private final SnapshotTaking snapshots;
  private final OpenCalls<ProposalOutcome> proposals;
  private final OpenCalls<ReadOutcome> reads;

  NodeHost(
      WriteAheadLog log,
      Syncing syncing,
      PeerLinks links,
      StateMachine machine,
      SnapshotTaking snapshots,
      OpenCalls<ProposalOutcome> proposals,
      OpenCalls<ReadOutcome> reads) {
    this.log = log;
    this.syncing = syncing;
    this.links = links;
    this.machine = machine;
    this.snapshots = snapshots;
    this.proposals = proposals;
    this.reads = reads;
  }

  @Override
  public void write(Ready ready) {
    log.write(ready);
  }

  @Override
  public void sync(Runnable synced) {
    syncing.sync(synced);
  }

  @Override
  public @Nullable Bytes piece(Ready.SnapshotRead piece) {
    return log.holds(piece.snapshot())
        ? log.snapshots().read(piece.snapshot(), piece.offset(), piece.length())
        : null;
  }

  @Override
  public void compactBefore(long first) {
    log.compactBefore(first);
  }

  @Override
  public void send(Message message) {
    links.send(message);
  }

  @Override
  public void flush() {
    links.flush();
  }

  @Override
  public void restore(SnapshotMeta snapshot) {
    try (InputStream bytes = log.snapshots().stream(snapshot)) {
      machine.restore(snapshot.index(), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("the state cannot be restored from [" + snapshot + "]", e);
    }
    snapshots.restored(snapshot.index());
  }

  @Override
  public void apply(Entry entry) {
    Reactions.give(machine, entry);
    snapshots.applied(entry);
  }

  @Override
  public void batchApplied(long index) {
    machine.batchApplied(index);
  }

  @Override
  public void ended(ProposalOutcome outcome) {
    proposals.end(outcome.id(), outcome);
  }

  @Override
  public void ended(ReadOutcome outcome) {
    reads.end(outcome.id(), outcome);
  }

  @Override
  public void leadershipChanged(Leadership leadership) {
    machine.leadershipChanged(leadership);
  }
}
