package io.holdfast.raft.core;

import io.holdfast.bytes.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The core's reaction to everything it was told since the last one: what to write, send, apply and
 * answer. The package description says in which order.
 *
 * @param number rises by one with each; {@link RaftCore#persisted} names it
 * @param hardState to write if it changed
 * @param entries to append; the first one may stand inside the log, which then ends before it
 * @param snapshotWrites pieces of an incoming snapshot to write, after which {@code install} may
 *     name it as complete
 * @param install the incoming snapshot to put in force, before {@code entries} are appended
 * @param mustSync true if hard state, entries or snapshot must be durable before {@code
 *     sendWhenDurable}
 * @param sendNow messages that do not depend on this member's disk
 * @param sendWhenDurable messages that may leave only when this reaction and all before it are
 *     durable
 * @param snapshotReads pieces of the newest snapshot to read and send
 * @param restore the newest snapshot, if the state is to be restored from it before {@code
 *     committed} is applied
 * @param committed entries to apply, in order, without gap or repetition
 * @param outcomes of proposals, true once {@code committed} is applied
 * @param reads true once {@code committed} is applied
 * @param compactBefore the first index the log must keep from now on; 0 to leave it
 * @param leadership if it changed
 */
public record Ready(
    long number,
    @Nullable HardState hardState,
    List<Entry> entries,
    List<SnapshotWrite> snapshotWrites,
    @Nullable Install install,
    boolean mustSync,
    List<Message> sendNow,
    List<Message> sendWhenDurable,
    List<SnapshotRead> snapshotReads,
    @Nullable SnapshotMeta restore,
    List<Entry> committed,
    List<ProposalOutcome> outcomes,
    List<ReadOutcome> reads,
    long compactBefore,
    @Nullable Leadership leadership) {

  /**
   * The incoming snapshot is complete and becomes the newest.
   *
   * @param keepsLog the log already holds what the snapshot stands for and stays as it is;
   *     otherwise the log is emptied and goes on after the snapshot
   */
  public record Install(SnapshotMeta snapshot, boolean keepsLog) {}

  /** One piece to write beside the live snapshot; offset 0 starts the file anew. */
  public record SnapshotWrite(SnapshotMeta snapshot, long offset, Bytes bytes) {}

  /** One piece to read from the newest snapshot and to send as {@link Message.SnapshotChunk}. */
  public record SnapshotRead(
      MemberId from, MemberId to, long term, SnapshotMeta snapshot, long offset, int length) {

    public Message.SnapshotChunk chunk(Bytes bytes) {
      return new Message.SnapshotChunk(from, to, term, snapshot, offset, bytes);
    }
  }

  /** True if there is anything that {@link RaftCore#persisted} must be told about. */
  public boolean writes() {
    return hardState != null || !entries.isEmpty() || !snapshotWrites.isEmpty() || install != null;
  }
}
