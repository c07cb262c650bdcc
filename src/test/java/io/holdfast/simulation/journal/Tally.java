package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Verdict;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often each kind of trouble was tried. */
final class Tally implements JournalInvariant {

  private final Map<String, Long> counts = new TreeMap<>();

  Map<String, Long> counts() {
    return counts;
  }

  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    String what = verdict.getClass().getSimpleName();
    if (verdict instanceof CoordinationVerdict.Refused refused) {
      what = "refused " + refused.reason();
    }
    count(what);
    verdict.ended().forEach(ended -> count("ended " + ended.cause()));
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    count("append " + verdict.getClass().getSimpleName());
    if (verdict instanceof Verdict.Applied applied && applied.ended() > 0) {
      count("ended with a lease");
    }
  }

  @Override
  public void acknowledged(List<Change> changes) {
    changes.forEach(change -> count("acknowledged " + change.kind()));
  }

  @Override
  public void keptAlive(String key, long token) {
    count("keepalive");
  }
}
