package io.holdfast.lock.rules;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import java.util.List;
import java.util.function.Predicate;

/** Decides commands to a lock. Pure: the same arguments always give the same decisions. */
public final class LockMachine {

  /** The largest total size of the metadata of one queue in bytes. */
  public static final int MAX_QUEUE_METADATA = 49_152;

  /** The largest size of one queue in the journal, in bytes: 250 for each of 10,000 waiters. */
  public static final int MAX_QUEUE_BYTES = 2_500_000;

  private final int maxWaiters;

  /**
   * @param maxWaiters the largest length of a queue; one more is refused
   */
  public LockMachine(int maxWaiters) {
    this.maxWaiters = maxWaiters;
  }

  /** Decides a batch of commands, one after the other. */
  public Batch decide(LockState state, List<LockCommand> commands, DecisionContext context) {
    return new LockRules(state, context, maxWaiters).decide(commands);
  }

  /** Deletes a free lock. */
  public Batch forget(LockState free) {
    BatchBuilder batch = new BatchBuilder(free);
    batch.apply(new LockEvent.Forgotten());
    return batch.build(List.of());
  }

  static boolean hasEnded(Lifetime life, Predicate<LeaseLife> hasEnded) {
    return life.lease().filter(hasEnded).isPresent();
  }
}
