package holdfast.lock;

import java.util.function.Predicate;

/**
 * The rules of a lock: what a command does to a state. Pure: the same arguments always give the
 * same decision.
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

  /**
   * Whether a command may grant the lock to somebody, and so may need a token. Another one may be
   * decided without.
   */
  public static boolean mayGrant(
      LockState state, LockCommand command, Predicate<LeaseLife> hasEnded) {
    boolean asks = command instanceof LockCommand.Acquire;
    return state.isFree()
        ? asks
        : !state.waiters().isEmpty()
            || (asks && state.holders().stream().anyMatch(h -> hasEnded(h.life(), hasEnded)));
  }

  /** Decides one command. */
  public Decision decide(LockState state, LockCommand command, Given given) {
    return new Deciding(state, given, maxWaiters).decide(command);
  }

  static boolean hasEnded(Life life, Predicate<LeaseLife> hasEnded) {
    return life.lease().filter(hasEnded).isPresent();
  }
}
