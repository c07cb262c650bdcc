package io.holdfast.simulation.journal;

import io.holdfast.id.ShardId;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.RequestKey;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** I8: a request is answered once. */
final class AtMostOnce implements JournalInvariant {

  private record Asked(ShardId shard, Object request) {}

  private final Map<Asked, Long> answered = new HashMap<>();

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (!(verdict instanceof Verdict.Applied)) {
      return;
    }
    for (AnsweredRequest answer : append.draft().answers()) {
      Asked asked = new Asked(append.id().shard(), name(answer.request()));
      long by = Change.idsOf(answer.outcome()).get(0);
      Long before = answered.putIfAbsent(asked, by);
      if (before != null && before != by) {
        throw new Violation("I8 AtMostOnce", asked + " is answered by " + before + " and " + by);
      }
    }
  }

  /** Not what the client no longer waits for: that may differ from one copy to the next. */
  private static Object name(RequestKey request) {
    return request instanceof RequestKey.Numbered numbered
        ? List.of(numbered.lease(), numbered.number())
        : request;
  }
}
