package holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A handle to ask for one lock. It holds nothing itself, and nothing is sent before it is asked.
 *
 * <p>Not reentrant: two grants of one key exclude each other, from one handle or two, in one thread
 * or two.
 */
public final class HoldfastLock {

  /** How long a lock outlives its holder's last sign of life, if nothing else is asked for. */
  public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

  /** The longest wait of {@link #acquire}. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(24);

  private final LockCalls calls;
  private final String key;
  private final Duration ttl;

  HoldfastLock(LockCalls calls, String key, Duration ttl) {
    this.calls = calls;
    this.key = key;
    this.ttl = ttl;
  }

  /** A handle of the same key whose grants have this ttl: 100 ms to 24 h, or they are refused. */
  public HoldfastLock withTtl(Duration ttl) {
    return new HoldfastLock(calls, key, ttl);
  }

  public String key() {
    return key;
  }

  /**
   * Asks for the lock and does not wait for others; waits for the answer for some seconds at most.
   *
   * @return the grant, or nothing if others hold the lock or it came too late to be surely held
   * @throws RequestRefused if the server refuses the request, for its key or ttl for example
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came; a grant we did not learn of ends with its ttl
   */
  public Optional<Grant> tryAcquire() {
    return Blocking.join(trying());
  }

  /** As {@link #tryAcquire()}, without waiting. */
  public CompletionStage<Optional<Grant>> tryAcquireAsync() {
    return trying();
  }

  /**
   * Asks for the lock and waits for it. An interrupt ends the wait; a grant that comes after it is
   * released at once.
   *
   * @param timeout how long to wait for others; up to {@link #MAX_TIMEOUT}
   * @throws LockNotAcquired if it was not obtained in that time
   * @throws RequestRefused if the server refuses the request, for its key or ttl for example
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came; a grant we did not learn of ends with its ttl
   */
  public Grant acquire(Duration timeout) throws InterruptedException {
    return Blocking.get(acquiring(timeout));
  }

  /** As {@link #acquire}, without blocking. Cancelling the stage's future gives the lock up. */
  public CompletionStage<Grant> acquireAsync(Duration timeout) {
    return acquiring(timeout);
  }

  private CompletableFuture<Grant> acquiring(Duration timeout) {
    if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout [" + timeout + "] is not within [0] and [" + MAX_TIMEOUT + "]");
    }
    return Acquisition.start(calls, key, ttl, timeout);
  }

  private CompletableFuture<Optional<Grant>> trying() {
    CompletableFuture<Optional<Grant>> tried = new CompletableFuture<>();
    var unused =
        acquiring(Duration.ZERO)
            .whenComplete(
                (grant, failure) -> {
                  if (failure == null) {
                    if (!tried.complete(Optional.of(grant))) {
                      grant.releaseAsync();
                    }
                  } else if (failure instanceof LockNotAcquired) {
                    tried.complete(Optional.empty());
                  } else {
                    tried.completeExceptionally(failure);
                  }
                });
    return tried;
  }

  @Override
  public String toString() {
    return "HoldfastLock[key=" + key + ", ttl=" + ttl.toMillis() + " ms]";
  }
}
