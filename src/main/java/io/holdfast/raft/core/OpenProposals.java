package io.holdfast.raft.core;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The proposals of this member that stand in some leader's log and await their outcome.
 *
 * <p>One is applied when the entry committed at its index has its term, and certainly not applied
 * when that entry has another, or one before it has a later term. When this member passes the index
 * by a snapshot, or loses contact with the majority, it is unknown.
 */
final class OpenProposals {

  private static final class Open {
    final long id;
    final long term;
    final @Nullable Open next;

    Open(long id, long term, @Nullable Open next) {
      this.id = id;
      this.term = term;
      this.next = next;
    }
  }

  private final RaftLog log;
  private final Outbox out;
  private final TreeMap<Long, Open> byIndex = new TreeMap<>();
  private int count;

  OpenProposals(RaftLog log, Outbox out) {
    this.log = log;
    this.out = out;
  }

  /** A proposal was given a place in the log of {@code term}. */
  void placed(long id, long index, long term) {
    if (index <= log.handedOver()) {
      resolveLate(id, index, term);
      return;
    }
    byIndex.put(index, new Open(id, term, byIndex.get(index)));
    count++;
  }

  /** An entry is given out to be applied, in log order. */
  void committed(Entry entry) {
    resolveAt(entry);
    if (entry.kind() == EntryKind.NOOP) {
      overtake(entry.term());
    }
  }

  private void resolveAt(Entry entry) {
    while (!byIndex.isEmpty() && byIndex.firstKey() <= entry.index()) {
      Map.Entry<Long, Open> first = byIndex.pollFirstEntry();
      for (Open open = first.getValue(); open != null; open = open.next) {
        count--;
        out.outcome(
            first.getKey() < entry.index()
                ? ProposalOutcome.unknown(open.id)
                : outcome(open.id, open.term, entry.index(), entry.term()));
      }
    }
  }

  /** The state jumped to {@code index} by a snapshot. */
  void passed(long index) {
    while (!byIndex.isEmpty() && byIndex.firstKey() <= index) {
      forget(byIndex.pollFirstEntry().getValue());
    }
  }

  /** Waits for none of them any longer. */
  void giveUp() {
    byIndex.values().forEach(this::forget);
    byIndex.clear();
  }

  int count() {
    return count;
  }

  /* Terms never fall along a log, so behind a committed entry no older term can ever follow. */
  private void overtake(long committedTerm) {
    byIndex
        .entrySet()
        .removeIf(
            row -> {
              Open later = null;
              for (Open open = row.getValue(); open != null; open = open.next) {
                if (open.term < committedTerm) {
                  count--;
                  out.outcome(ProposalOutcome.refused(open.id, RaftRefusal.OVERWRITTEN));
                } else {
                  later = new Open(open.id, open.term, later);
                }
              }
              if (later != null) {
                row.setValue(later);
              }
              return later == null;
            });
  }

  private void forget(Open first) {
    for (Open open = first; open != null; open = open.next) {
      count--;
      out.outcome(ProposalOutcome.unknown(open.id));
    }
  }

  private void resolveLate(long id, long index, long term) {
    boolean known = log.covers(index) && index >= log.firstIndex();
    out.outcome(known ? outcome(id, term, index, log.term(index)) : ProposalOutcome.unknown(id));
  }

  private static ProposalOutcome outcome(long id, long term, long index, long committedTerm) {
    return term == committedTerm
        ? ProposalOutcome.applied(id, index)
        : ProposalOutcome.refused(id, RaftRefusal.OVERWRITTEN);
  }
}
