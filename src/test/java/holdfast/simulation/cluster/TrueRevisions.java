package holdfast.simulation.cluster;

import holdfast.entity.LockAnswer;
import holdfast.journal.LockRecord;
import holdfast.journal.state.Change;
import holdfast.journal.state.PublicRecord;
import holdfast.lock.Holder;
import holdfast.lock.LockCommand;
import holdfast.lock.Outcome;
import holdfast.lock.Refusal;
import holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * I11: the revision of an answer is one of a state that it speaks of, and of a refusal never a
 * later one. Who is refused, and watches from there on, sees the end of what it was refused for.
 */
final class TrueRevisions implements ClusterInvariant {

  /** The first revision with a grant, and the first one without it; 0 for none yet. */
  private record Span(long since, long end) {

    static final Span NONE = new Span(0, 0);

    boolean hasBegun(long revision) {
      return since != 0 && since <= revision;
    }

    boolean hasEnded(long revision) {
      return end != 0 && end <= revision;
    }
  }

  private final Map<Long, Span> spans = new HashMap<>();

  @Override
  public void changed(Change change) {
    Set<Long> before = tokens(change.before());
    Set<Long> after = tokens(change.after());
    for (long token : after) {
      spans.putIfAbsent(token, new Span(change.revision(), 0));
    }
    before.removeAll(after);
    for (long token : before) {
      spans.computeIfPresent(token, (ended, span) -> new Span(span.since, change.revision()));
    }
  }

  private static Set<Long> tokens(@Nullable PublicRecord record) {
    Set<Long> tokens = new HashSet<>();
    if (record != null) {
      LockRecord.holders(record).forEach(holder -> tokens.add(holder.token().value()));
    }
    return tokens;
  }

  @Override
  public void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {
    long revision = answer.revision();
    Outcome outcome = answer.outcome();
    if (revision == 0) {
      return; // it speaks of no state
    } else if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      Span span = span(acquired.token().value());
      require(span.hasBegun(revision) && !span.hasEnded(revision), answer, span);
    } else if (outcome instanceof Outcome.Released released && released.count() == 0) {
      Span span = span(released.token().value());
      require(span.hasEnded(revision), answer, span);
    } else if (outcome instanceof Outcome.Refused refused) {
      refused(answer, refused.refusal());
    }
  }

  private void refused(LockAnswer answer, Refusal refusal) {
    if (refusal instanceof Refusal.Held held) {
      requireStands(answer, held.holder());
    } else if (refusal instanceof Refusal.LeftLine left) {
      requireStands(answer, left.holder());
    } else if (refusal instanceof Refusal.NotHolder not) {
      Span span = span(not.token().value());
      boolean stands = span.hasBegun(answer.revision()) && !span.hasEnded(answer.revision());
      require(!stands, answer, span);
      requireStands(answer, not.holder());
    }
  }

  /** Its end comes later, if it has come. */
  private void requireStands(LockAnswer answer, @Nullable Holder holder) {
    if (holder != null) {
      Span span = span(holder.token().value());
      require(!span.hasEnded(answer.revision()), answer, span);
    }
  }

  private Span span(long token) {
    return spans.getOrDefault(token, Span.NONE);
  }

  private static void require(boolean holds, LockAnswer answer, Span span) {
    if (!holds) {
      throw new Violation("I11 TrueRevisions", answer + " speaks of " + span);
    }
  }
}
