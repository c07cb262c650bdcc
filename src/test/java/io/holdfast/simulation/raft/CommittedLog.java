package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.RaftLogView;
import io.holdfast.simulation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The entries that the cluster as a whole has committed, in order: the yardstick of the other
 * invariants.
 *
 * <p>An index is committed from the first moment that any member says so, with the term that member
 * has there.
 */
final class CommittedLog implements Invariant {

  private final List<Long> terms = new ArrayList<>(List.of(0L));
  private final List<Long> committedIn = new ArrayList<>(List.of(0L));

  @Override
  public void committed(SimulatedMember member, long from, long to) {
    RaftLogView log = member.disk().memory();
    RaftCore core = Objects.requireNonNull(member.core());
    for (long index = Math.max(from + 1, log.firstIndex() - 1); index <= to; index++) {
      long term = log.term(index);
      if (index == terms.size()) {
        terms.add(term);
        committedIn.add(core.leadership().term());
      } else if (index > terms.size()) {
        throw new Violation("Commit", member + " committed " + index + " after " + last());
      } else if (terms.get((int) index) != term) {
        throw new Violation(
            "Commit",
            member + " committed " + term + "/" + index + " over " + terms.get((int) index));
      }
    }
  }

  long last() {
    return terms.size() - 1L;
  }

  /** The last index that was committed by a leader of a term before this one. */
  long lastBefore(long term) {
    long index = last();
    while (committedIn.get((int) index) >= term && index > 0) {
      index--;
    }
    return index;
  }

  long termAt(long index) {
    return terms.get((int) index);
  }

  long lastTerm() {
    return terms.get(terms.size() - 1);
  }

  /** True if exactly this entry is committed. */
  boolean holds(Entry entry) {
    return entry.index() < terms.size() && terms.get((int) entry.index()) == entry.term();
  }
}
