package io.holdfast.raft.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The log as the core sees it: what the {@link RaftLogView} shows, with what the next {@link Ready}
 * will hand over laid on top.
 *
 * <p>{@code handedOver <= commit <= lastIndex}. Nothing at or before {@code commit} is ever
 * overwritten.
 */
final class RaftLog {

  private final RaftLogView view;
  private final ConfigurationHistory configurations = new ConfigurationHistory();

  private List<Entry> pending = new ArrayList<>();
  private long pendingFrom;
  private Ready.@Nullable Install pendingInstall;

  private long commit;
  private long handedOver;

  RaftLog(RaftLogView view, long knownCommit) {
    this.view = view;
    SnapshotMeta snapshot = view.snapshot();
    if (snapshot != null) {
      configurations.reset(snapshot);
    }
    long base = snapshot == null ? 0 : snapshot.index();
    for (long at = base + 1; at <= view.lastIndex(); ) {
      for (Entry entry : view.entries(at, view.lastIndex(), 1 << 20)) {
        configurations.appended(entry);
        at = entry.index() + 1;
      }
    }
    commit = Math.max(base, Math.min(knownCommit, view.lastIndex()));
  }

  long firstIndex() {
    return replaced() != null ? replaced().snapshot().index() + 1 : view.firstIndex();
  }

  long lastIndex() {
    if (!pending.isEmpty()) {
      return pendingFrom + pending.size() - 1;
    }
    return replaced() != null ? replaced().snapshot().index() : view.lastIndex();
  }

  long lastTerm() {
    return term(lastIndex());
  }

  /** True if the term at {@code index} is known. */
  boolean covers(long index) {
    return index >= firstIndex() - 1 && index <= lastIndex();
  }

  long term(long index) {
    if (!pending.isEmpty() && index >= pendingFrom) {
      return pending.get((int) (index - pendingFrom)).term();
    }
    if (replaced() != null) {
      return replaced().snapshot().term();
    }
    return view.term(index);
  }

  boolean matches(long index, long term) {
    return covers(index) && term(index) == term;
  }

  /** True if a log that ends with this entry has all that this one may have committed. */
  boolean isUpToDate(long otherLastIndex, long otherLastTerm) {
    long term = lastTerm();
    return otherLastTerm > term || (otherLastTerm == term && otherLastIndex >= lastIndex());
  }

  /** The last index up to {@code to} whose term is at most {@code term}; terms never fall. */
  long lastIndexWithTermAtMost(long term, long to) {
    long low = firstIndex() - 1;
    long high = to;
    while (low < high) {
      long middle = low + (high - low + 1) / 2;
      if (term(middle) <= term) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The first index known to have {@code term}, which {@code at} has. */
  long firstIndexOfTerm(long term, long at) {
    return Math.max(firstIndex(), lastIndexWithTermAtMost(term - 1, at) + 1);
  }

  List<Entry> entries(long from, long to, long maxBytes) {
    if (pending.isEmpty() || to < pendingFrom) {
      return view.entries(from, to, maxBytes);
    }
    List<Entry> found = new ArrayList<>();
    long left = maxBytes;
    if (from < pendingFrom) {
      found.addAll(view.entries(from, pendingFrom - 1, maxBytes));
      for (Entry entry : found) {
        left -= entry.sizeBytes();
      }
    }
    for (long at = from + found.size(); at >= pendingFrom && at <= to; at++) {
      Entry entry = pending.get((int) (at - pendingFrom));
      left -= entry.sizeBytes();
      if (left < 0 && !found.isEmpty()) {
        break;
      }
      found.add(entry);
    }
    return found;
  }

  /** Puts an entry after the last, or over what stood at its index and after. */
  void append(Entry entry) {
    long index = entry.index();
    long last = lastIndex();
    if (index <= commit || index > last + 1) {
      throw new IllegalStateException(
          "entry [" + entry + "] does not fit a log committed to " + commit + " of " + last);
    }
    if (index <= last) {
      truncateFrom(index);
    }
    if (pending.isEmpty()) {
      pendingFrom = index;
    }
    pending.add(entry);
    configurations.appended(entry);
  }

  private void truncateFrom(long index) {
    if (!pending.isEmpty()) {
      int keep = (int) Math.max(0, index - pendingFrom);
      pending.subList(keep, pending.size()).clear();
    }
    configurations.truncatedAfter(index - 1);
  }

  /** Raises the commit index. A lower value is out of date. */
  boolean commitTo(long index) {
    if (index <= commit) {
      return false;
    }
    if (index > lastIndex()) {
      throw new IllegalStateException(
          "commit [" + index + "] is after the last entry [" + lastIndex() + "]");
    }
    commit = index;
    return true;
  }

  /** A snapshot of what is not in this log takes its place. */
  void install(SnapshotMeta snapshot) {
    if (snapshot.index() <= commit) {
      throw new IllegalStateException(snapshot + " is not after the commit [" + commit + "]");
    }
    pending = new ArrayList<>();
    pendingInstall = new Ready.Install(snapshot, false);
    configurations.reset(snapshot);
    commit = snapshot.index();
  }

  /** A snapshot of what is committed in this log is kept beside it. */
  void keep(SnapshotMeta snapshot) {
    pendingInstall = new Ready.Install(snapshot, true);
  }

  /** The next committed entries to apply; empty if there are none. */
  List<Entry> takeCommitted(long maxBytes) {
    if (handedOver == commit) {
      return List.of();
    }
    List<Entry> next = entries(handedOver + 1, commit, maxBytes);
    handedOver = next.get(next.size() - 1).index();
    return next;
  }

  /** The snapshot to restore the state from before anything else is applied; null for none. */
  @Nullable SnapshotMeta takeRestore() {
    SnapshotMeta newest = snapshot();
    if (newest == null || newest.index() <= handedOver) {
      return null;
    }
    handedOver = newest.index();
    return newest;
  }

  List<Entry> takePending() {
    List<Entry> taken = pending;
    pending = new ArrayList<>();
    return taken;
  }

  Ready.@Nullable Install takeInstall() {
    Ready.Install taken = pendingInstall;
    pendingInstall = null;
    return taken;
  }

  boolean hasPending() {
    return !pending.isEmpty() || pendingInstall != null;
  }

  long commit() {
    return commit;
  }

  /** The last index given out to be applied or restored. */
  long handedOver() {
    return handedOver;
  }

  @Nullable SnapshotMeta snapshot() {
    return pendingInstall != null ? pendingInstall.snapshot() : view.snapshot();
  }

  boolean holds(SnapshotMeta snapshot) {
    return view.holds(snapshot);
  }

  ConfigurationHistory configurations() {
    return configurations;
  }

  Configuration configuration() {
    return configurations.current();
  }

  private Ready.@Nullable Install replaced() {
    Ready.Install install = pendingInstall;
    return install == null || install.keepsLog() ? null : install;
  }
}
