package holdfast.simulation.journal;

import holdfast.journal.state.Answer;
import holdfast.journal.state.Append;
import holdfast.journal.state.Client;
import holdfast.journal.state.Verdict;
import holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I8: a request is answered once. */
final class AtMostOnce implements JournalInvariant {

  private record Asked(int shard, Client client, long number) {}

  private final Map<Asked, Long> answered = new HashMap<>();

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (!(verdict instanceof Verdict.Applied)) {
      return;
    }
    for (Answer answer : append.answers()) {
      Asked asked =
          new Asked(append.turn().shard(), answer.request().client(), answer.request().number());
      long by = Change.idOf(answer.outcome());
      Long before = answered.putIfAbsent(asked, by);
      if (before != null && before != by) {
        throw new Violation("I8 AtMostOnce", asked + " is answered by " + before + " and " + by);
      }
    }
  }
}
