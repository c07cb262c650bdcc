package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.HardState;

/** The records of a log, one call each, in the order of the log. */
interface LogRecords {

  /** An entry that follows the last one. */
  void entry(Entry entry);

  void hardState(HardState hardState);

  /** The entries at and after {@code from} are gone; {@code termBefore} is that of the one left. */
  void truncated(long from, long termBefore);

  /** All entries are gone; the log goes on after the snapshot at {@code index}. */
  void reset(long index, long term);

  /** Nothing follows in this segment. */
  void continued(long nextSegment);
}
