package io.holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a read: the state as of {@code index}, which the member has been given to apply,
 * may answer it; or it was refused and may be asked again.
 */
public record ReadOutcome(long id, long index, @Nullable RaftRefusal refusal) {

  public static ReadOutcome safe(long id, long index) {
    return new ReadOutcome(id, index, null);
  }

  public static ReadOutcome refused(long id, RaftRefusal refusal) {
    return new ReadOutcome(id, 0, refusal);
  }

  public boolean isSafe() {
    return refusal == null;
  }
}
