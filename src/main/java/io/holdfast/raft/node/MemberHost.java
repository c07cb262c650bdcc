package io.holdfast.raft.node;

import io.holdfast.bytes.Bytes;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Message;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.ReadOutcome;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import org.jspecify.annotations.Nullable;

/**
 * The environment of one member's core: its disk, its peers, its state machine and its callers.
 *
 * <p>{@link Reactions} decides in which order they are used. All calls come from the member's
 * thread.
 */
public interface MemberHost {

  /** Writes what the reaction carries; visible at once, durable after the next sync. */
  void write(Ready ready);

  /**
   * Makes all that was written so far durable, and then runs {@code synced} on the member's thread:
   * before it returns, or later. Not called again until then.
   */
  void sync(Runnable synced);

  /** A piece of the newest snapshot; null if that is another one by now. */
  @Nullable Bytes piece(Ready.SnapshotRead piece);

  void compactBefore(long first);

  /** Takes a message for a peer; it leaves with the next {@link #flush} at the latest. */
  void send(Message message);

  void flush();

  void restore(SnapshotMeta snapshot);

  void apply(Entry entry);

  /** The entries up to this index were one batch. */
  void batchApplied(long index);

  void ended(ProposalOutcome outcome);

  void ended(ReadOutcome outcome);

  void leadershipChanged(Leadership leadership);
}
