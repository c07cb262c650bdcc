package io.holdfast.raft.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state that a member must not forget: its term, its vote in it, and a lower bound of what is
 * committed.
 *
 * <p>Term and vote must be durable before anything said in that term leaves the member. The commit
 * index only saves work after a restart. It lags by one {@link Ready}: the entries that justify it
 * were written before it, so it holds of whatever beginning of a write survives a crash.
 */
public record HardState(long term, @Nullable MemberId vote, long commit) {

  /** The hard state of a new directory. */
  public static final HardState NEW = new HardState(0, null, 0);

  public HardState {
    if (term < 0 || commit < 0 || (term == 0 && vote != null)) {
      throw new IllegalArgumentException("hard state [" + term + ", " + vote + ", " + commit + "]");
    }
  }

  /** True if losing the difference to {@code before} could break what was answered. */
  public boolean mustBeDurableAfter(HardState before) {
    return term != before.term || !Objects.equals(vote, before.vote);
  }

  @Override
  public String toString() {
    return "term " + term + (vote == null ? "" : " voted " + vote) + " commit " + commit;
  }
}
