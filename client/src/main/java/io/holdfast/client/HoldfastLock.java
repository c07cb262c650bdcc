package io.holdfast.client;

import io.holdfast.client.session.LockAttempt;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A handle of one lock. It holds nothing itself, and sends nothing before a method is called.
 *
 * <p>Not reentrant: two grants of one key exclude each other, from one handle or two, in one thread
 * or two. To enter again on purpose, use {@link Grant#reenter()}.
 */
public final class HoldfastLock {

  /** The longest wait of {@link #acquire(Duration)}. */
  public static final Duration MAX_TIMEOUT = Duration.ofHours(24);

  private final Supplier<SessionLoop> session;
  private final ClientSettings settings;
  private final String key;
  private final @Nullable Duration ownTtl;

  HoldfastLock(
      Supplier<SessionLoop> session,
      ClientSettings settings,
      String key,
      @Nullable Duration ownTtl) {
    this.session = session;
    this.settings = settings;
    this.key = key;
    this.ownTtl = ownTtl;
  }

  /**
   * Returns a handle of the same key whose grants have their own ttl instead of the client's
   * session: 100 ms to 24 h. The client renews each of them by itself.
   *
   * @throws RequestRefused if the ttl is out of its bounds
   */
  public HoldfastLock withTtl(Duration ttl) {
    return new HoldfastLock(session, settings, key, ArgumentChecks.ttl(ttl));
  }

  public String key() {
    return key;
  }

  /**
   * Tries to acquire the lock, and does not wait for another holder. It waits some seconds at most
   * for the answer.
   *
   * @return the grant, or nothing if others hold the lock
   * @throws RequestRefused if the server refuses the request, as one of too many for example
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came; a grant we did not learn of is given back
   */
  public Optional<Grant> tryAcquire() {
    return Blocking.join(trying());
  }

  /** As {@link #tryAcquire()}, without waiting. */
  public CompletionStage<Optional<Grant>> tryAcquireAsync() {
    return HandedOver.to(settings.callbacks(), trying(), found -> found.ifPresent(Grant::giveBack));
  }

  /**
   * Acquires the lock, and waits without a limit. An interrupt ends the wait.
   *
   * @throws RequestRefused if the server refuses the request, as one of too many for example
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came; a grant we did not learn of is given back
   */
  public Grant acquire() throws InterruptedException {
    return Blocking.get(acquiring(/* patienceNanos= */ -1));
  }

  /** As {@link #acquire()}, without blocking. Cancelling the stage's future cancels the request. */
  public CompletionStage<Grant> acquireAsync() {
    return HandedOver.to(settings.callbacks(), acquiring(/* patienceNanos= */ -1), Grant::giveBack);
  }

  /**
   * Acquires the lock, and waits for it up to the timeout. An interrupt ends the wait; a grant that
   * comes after it is released at once.
   *
   * @param timeout the longest wait for other holders; up to {@link #MAX_TIMEOUT}
   * @throws LockNotAcquired if it was not obtained in that time
   * @throws RequestRefused if the server refuses the request, as one of too many for example
   * @throws Unavailable if no node could serve it
   * @throws Indeterminate if no answer came; a grant we did not learn of is given back
   */
  public Grant acquire(Duration timeout) throws InterruptedException {
    return Blocking.get(acquiring(patience(timeout)));
  }

  /** As {@link #acquire(Duration)}, without blocking. Cancelling the future gives the lock up. */
  public CompletionStage<Grant> acquireAsync(Duration timeout) {
    return HandedOver.to(settings.callbacks(), acquiring(patience(timeout)), Grant::giveBack);
  }

  /**
   * Acquires the lock, runs a section under it, and releases it.
   *
   * @throws NotSurelyHeld if the grant was lost before the end
   */
  public <T, E extends Exception> T inCriticalSection(
      Duration timeout, CriticalSection<T, E> section) throws E, InterruptedException {
    try (Grant grant = acquire(timeout)) {
      return grant.inCriticalSection(section);
    }
  }

  /**
   * Returns a view for code that needs a {@link Lock}. Its documentation lists the promises that it
   * cannot keep.
   */
  public LockView asLock() {
    return new LockView(this);
  }

  private static long patience(Duration timeout) {
    if (timeout.isNegative() || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "timeout [" + timeout + "] is not within [0] and [" + MAX_TIMEOUT + "]");
    }
    return timeout.toNanos();
  }

  private CompletableFuture<Grant> acquiring(long patienceNanos) {
    long ttl = ownTtl == null ? 0 : ownTtl.toMillis();
    String holderId = UUID.randomUUID().toString();
    return Acquisition.start(
        session.get(), settings, new LockAttempt.Terms(key, holderId, ttl, patienceNanos));
  }

  private CompletableFuture<Optional<Grant>> trying() {
    CompletableFuture<Optional<Grant>> tried = new CompletableFuture<>();
    var unused =
        acquiring(/* patienceNanos= */ 0)
            .whenComplete(
                (grant, failure) -> {
                  if (failure == null) {
                    if (!tried.complete(Optional.of(grant))) {
                      grant.giveBack();
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
    return "HoldfastLock[key=" + key + ", ttl=" + (ownTtl == null ? "session" : ownTtl) + "]";
  }
}
