package holdfast.client;

import holdfast.v1.UnlockRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was obtained. It is surely held until its {@link #deadline()}, or its release.
 *
 * <p>A thread may be stopped for any time between a look at the deadline and what it does next. So
 * hand {@link #fencingToken()} to the store with each write, and let the store refuse a smaller
 * token than it has seen: that, and only that, stops a holder that is late.
 */
public final class Grant implements AutoCloseable {

  private final LockCalls calls;
  private final String key;
  private final long fencingToken;
  private final Deadline deadline;

  /** One request for all attempts, so that a second one is known as the same. */
  private final UnlockRequest unlock;

  private final AtomicReference<@Nullable CompletableFuture<Boolean>> release =
      new AtomicReference<>();
  private volatile boolean givenUp;

  Grant(LockCalls calls, String key, long fencingToken, Deadline deadline) {
    this.calls = calls;
    this.key = key;
    this.fencingToken = fencingToken;
    this.deadline = deadline;
    this.unlock = calls.unlockRequest(key, fencingToken);
  }

  public String key() {
    return key;
  }

  /** The number of this grant. Later grants of the key have larger ones, for ever. */
  public long fencingToken() {
    return fencingToken;
  }

  /** Until when the lock is surely held if it is not released. */
  public Deadline deadline() {
    return deadline;
  }

  /** The time until the deadline; zero once it has passed. */
  public Duration remaining() {
    return deadline.remaining();
  }

  /** Whether nobody else can hold the lock now. False from the start of a release on. */
  public boolean isSurelyHeld() {
    return !givenUp && !deadline.isPassed();
  }

  /**
   * Does nothing while the lock is surely held.
   *
   * @throws NotSurelyHeld if it is not
   */
  public void ensureHeld() {
    if (givenUp) {
      throw notSurelyHeld("was released");
    } else if (deadline.isPassed()) {
      throw notSurelyHeld("has passed its deadline");
    }
  }

  private NotSurelyHeld notSurelyHeld(String why) {
    return new NotSurelyHeld(
        key, fencingToken, "the grant [" + fencingToken + "] of lock [" + key + "] " + why);
  }

  /**
   * Releases the lock, and waits for the answer for some seconds at most. Once answered, later
   * calls return the same.
   *
   * @return whether the lock was held until then; false if it had ended before, by its ttl or by
   *     force
   * @throws Unavailable if no node was reached; the lock then ends with its ttl
   * @throws Indeterminate if no answer came
   */
  public boolean release() {
    return Blocking.join(releasing());
  }

  /** As {@link #release()}, without waiting. */
  public CompletionStage<Boolean> releaseAsync() {
    return releasing();
  }

  private CompletableFuture<Boolean> releasing() {
    givenUp = true;
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> other = release.compareAndExchange(null, mine);
    if (other != null) {
      return other.copy();
    }
    var unused =
        calls
            .unlock(unlock)
            .whenComplete(
                (held, failure) -> {
                  if (failure == null) {
                    mine.complete(held);
                  } else {
                    release.set(null); // the next call asks again
                    mine.completeExceptionally(failure);
                  }
                });
    return mine.copy();
  }

  /**
   * Releases the lock, and throws nothing: a lock that is not released ends with its ttl. Who needs
   * to know calls {@link #release()} before.
   */
  @Override
  public void close() {
    try {
      release();
    } catch (HoldfastException e) {
      // Said above: it ends with its ttl. Thrown here, it would hide what went wrong in the block.
    }
  }

  @Override
  public String toString() {
    return "Grant[key=" + key + ", fencingToken=" + fencingToken + ", deadline=" + deadline + "]";
  }
}
