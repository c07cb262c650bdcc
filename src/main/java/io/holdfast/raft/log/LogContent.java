package io.holdfast.raft.log;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.MemberCodec;

/**
 * The content of a log, built from its records. The same code follows the log when it is written
 * and when it is read back, so both agree.
 *
 * <p>A record that cannot follow those before it is refused with an {@link
 * IllegalArgumentException}.
 */
final class LogContent implements LogRecords {

  private final EntryIndex entries;
  private HardState hardState = HardState.NEW;
  private long clusterId;
  private long continuedIn;

  LogContent(long cachedBytes) {
    entries = new EntryIndex(cachedBytes);
  }

  /** Takes over what a segment says of the log before it. */
  void begin(SegmentHeader header) {
    entries.reset(header.lastIndex(), header.lastTerm());
    hardState = header.hardState();
  }

  /** True if a segment's header says of the log before it what that log came to. */
  boolean agreesWith(SegmentHeader header) {
    return header.lastIndex() == entries.last()
        && header.lastTerm() == entries.term(entries.last())
        && header.hardState().equals(hardState);
  }

  @Override
  public void entry(Entry entry) {
    if (entry.kind() == EntryKind.FORMATION) {
      formed(MemberCodec.formation(entry.payload()).clusterId());
    }
    entries.append(entry);
  }

  @Override
  public void hardState(HardState changed) {
    if (changed.term() < hardState.term()) {
      throw new IllegalArgumentException("[" + changed + "] after [" + hardState + "]");
    }
    hardState = changed;
  }

  @Override
  public void truncated(long from, long termBefore) {
    entries.truncate(from, termBefore);
  }

  @Override
  public void reset(long index, long term) {
    entries.reset(index, term);
  }

  @Override
  public void continued(long nextSegment) {
    continuedIn = nextSegment;
  }

  /** The cluster's id became known, from a formation or a snapshot. */
  void formed(long id) {
    if (clusterId != 0 && clusterId != id) {
      throw new IllegalArgumentException(
          "cluster [" + id + "] in the log of cluster [" + clusterId + "]");
    }
    clusterId = id;
  }

  EntryIndex entries() {
    return entries;
  }

  HardState hardState() {
    return hardState;
  }

  /** The cluster, or 0 while none is known. */
  long clusterId() {
    return clusterId;
  }

  /** The last segment that another was said to continue in; 0 for none. */
  long continuedIn() {
    return continuedIn;
  }
}
