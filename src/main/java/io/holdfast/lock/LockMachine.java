package io.holdfast.lock;

import java.util.List;
import java.util.function.Predicate;

/**
 * The rules of a lock: what commands do to a state. Pure: the same arguments always give the same
 * decisions.
 */
public final class LockMachine {

  /** How many bytes of metadata all those who wait in one line may have: it is kept as one. */
  public static final int MAX_METADATA_IN_LINE = 49_152;

  /** How many bytes all those who wait in one line may need in the journal. */
  public static final int MAX_LINE_BYTES = 1_000_000;

  private final int maxWaiters;

  /**
   * @param maxWaiters how many may wait in line; one more is refused
   */
  public LockMachine(int maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  /** Decides commands that came together, one after the other. */
  public Batch decide(LockState state, List<LockCommand> commands, Given given) {
    return new Deciding(state, given, maxWaiters).decide(commands);
  }

  /** Leaves nothing of a free lock. */
  public Batch forget(LockState free) {
    Unfolding now = new Unfolding(free);
    now.happened(new LockEvent.Forgotten());
    return now.batch(List.of());
  }

  static boolean hasEnded(Life life, Predicate<LeaseLife> hasEnded) {
    return life.lease().filter(hasEnded).isPresent();
  }
}
