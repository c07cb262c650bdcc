package io.holdfast.simulation.cluster;

import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.simulation.Violation;
import io.holdfast.wire.LockAnswer;
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
      spans.putIfAbsent(token, new Span(change.revision().value(), 0));
    }
    before.removeAll(after);
    for (long token : before) {
      spans.computeIfPresent(
          token, (ended, span) -> new Span(span.since, change.revision().value()));
    }
  }

  private static Set<Long> tokens(@Nullable PublicRecord record) {
    Set<Long> tokens = new HashSet<>();
    if (record != null) {
      LockRecordReader.holders(record).forEach(holder -> tokens.add(holder.token().value()));
    }
    return tokens;
  }

  @Override
  public void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {
    long revision = answer.revision().value();
    Outcome outcome = answer.outcome();
    if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      stands(key, acquired.token().value(), revision, sentUs);
    } else if (outcome instanceof Outcome.Released released && released.count() == 0) {
      released(key, released.token().value(), revision);
    } else if (outcome instanceof Outcome.Refused refused && revision != 0) {
      refused(key, answer, refused.refusal());
    }
  }

  @Override
  public void stands(String key, long token, long revision, long sentUs) {
    if (revision != 0) { // else it speaks of no state
      Span span = span(token);
      require(span.hasBegun(revision) && !span.hasEnded(revision), token, revision);
    }
  }

  @Override
  public void released(String key, long token, long revision) {
    if (revision != 0) {
      require(span(token).hasEnded(revision), token, revision);
    }
  }

  /** The end of who stands in the way comes later, if it has come. */
  @Override
  public void refusedFor(String key, long holder, long revision, long sentUs) {
    if (revision != 0) {
      require(!span(holder).hasEnded(revision), holder, revision);
    }
  }

  private void refused(String key, LockAnswer answer, Refusal refusal) {
    if (refusal instanceof Refusal.Held held) {
      refusedFor(key, answer, held.holder());
    } else if (refusal instanceof Refusal.LeftQueue left) {
      refusedFor(key, answer, left.holder());
    } else if (refusal instanceof Refusal.NotHolder not) {
      long token = not.token().value();
      Span span = span(token);
      boolean stands =
          span.hasBegun(answer.revision().value()) && !span.hasEnded(answer.revision().value());
      require(!stands, token, answer.revision().value());
      refusedFor(key, answer, not.holder());
    }
  }

  private void refusedFor(String key, LockAnswer answer, @Nullable Holder holder) {
    if (holder != null) {
      refusedFor(key, holder.token().value(), answer.revision().value(), /* sentUs= */ 0);
    }
  }

  private Span span(long token) {
    return spans.getOrDefault(token, Span.NONE);
  }

  private void require(boolean holds, long token, long revision) {
    if (!holds) {
      throw new Violation(
          "I11 TrueRevisions", "an answer of " + revision + " speaks of " + token + span(token));
    }
  }
}
