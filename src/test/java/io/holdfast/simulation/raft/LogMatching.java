package io.holdfast.simulation.raft;

import io.holdfast.raft.core.Entry;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Entries of the same term and index are equal, and so are all before them: each entry is always
 * found after the same one, which carries the claim from entry to entry.
 */
final class LogMatching implements Invariant {

  private record Position(long term, long index) {}

  private record Content(long previousTerm, Entry entry) {}

  private final Map<Position, Content> known = new HashMap<>();

  @Override
  public void appended(SimulatedMember member, long previousTerm, Entry entry) {
    Position position = new Position(entry.term(), entry.index());
    Content before = known.get(position);
    if (before == null) {
      if (previousTerm > entry.term()) {
        throw new Violation("LogMatching", entry + " after term " + previousTerm);
      }
      known.put(position, new Content(previousTerm, entry));
      return;
    }
    if (before.previousTerm != previousTerm || !before.entry.equals(entry)) {
      throw new Violation(
          "LogMatching",
          member
              + " has "
              + entry
              + " after term "
              + previousTerm
              + ", another has it after "
              + before.previousTerm);
    }
  }
}
