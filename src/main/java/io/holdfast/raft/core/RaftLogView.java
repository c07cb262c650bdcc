package io.holdfast.raft.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log as the core reads it: everything handed over in a {@link Ready}, durable or not.
 *
 * <p>The entries of a {@code Ready} must be visible here before the core gets its next input. All
 * calls come from the thread that drives the core and must not block on a device for entries that
 * were written lately.
 *
 * <p>Contiguity: the entries from {@code firstIndex} to {@code lastIndex} are all present. A log
 * that was replaced by a snapshot has {@code firstIndex = snapshot.index + 1} and {@code lastIndex
 * = snapshot.index}; compaction may leave entries at and before the snapshot's index.
 */
public interface RaftLogView {

  /** The index of the first entry that can be read; 1 for a new log. */
  long firstIndex();

  /** The index of the last entry; {@code firstIndex() - 1} if there is none. */
  long lastIndex();

  /**
   * The term of the entry at {@code index}, which lies in {@code [firstIndex - 1, lastIndex]}; the
   * term before the first entry is kept from the compaction or the snapshot, and is 0 at index 0.
   */
  long term(long index);

  /**
   * The entries from {@code from} to {@code to}, both included, as many as fit in {@code maxBytes}
   * by {@link Entry#sizeBytes()}, and at least one.
   */
  List<Entry> entries(long from, long to, long maxBytes);

  /**
   * The newest durable snapshot, if there is one. The log never ends before it: one of the member's
   * own counts only once the log up to its index is durable too.
   */
  @Nullable SnapshotMeta snapshot();

  /** True if the bytes of this snapshot can still be read. */
  default boolean holds(SnapshotMeta snapshot) {
    return snapshot.equals(snapshot());
  }
}
