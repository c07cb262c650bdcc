package io.holdfast.simulation.journal;

import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I2: a key's tokens rise for ever, and no token is granted twice. */
final class TokenMonotonic implements JournalInvariant {

  private final Map<String, Long> newest = new HashMap<>();
  private final Map<Long, Change> granted = new HashMap<>();

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (!(verdict instanceof Verdict.Applied)) {
      return;
    }
    for (Change change : changes) {
      if (change.kind() == Change.Kind.GRANTED) {
        Change first = granted.putIfAbsent(change.token(), change);
        if (first == null) {
          Long before = newest.put(change.key(), change.token());
          require(before == null || before < change.token(), "after a greater one", change);
        } else {
          require(first.id() == change.id(), "granted before", change);
        }
      }
    }
  }

  private static void require(boolean holds, String what, Change change) {
    if (!holds) {
      throw new Violation("I2 TokenMonotonic", change + " " + what);
    }
  }
}
