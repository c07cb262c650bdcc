package holdfast.client;

import holdfast.v1.LockRequest;
import holdfast.v1.LockResponse;
import holdfast.v1.Reason;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One wish for a lock: asks, waits in line, and hands out a grant only if it is surely held. */
final class Acquisition {

  /*
   * A grant that came after waiting.
   *
   * Its ttl counts from the grant, and the client does not know when that was. So it is confirmed:
   * the same holder asks once more, which is a renewal of what it holds, and the deadline counts
   * from the sending of that. Should the grant have ended in between, the second request is granted
   * anew if the lock is free, under a new token, or finds it taken; then the wish goes back in line.
   */

  private static final long MAX_WAIT_MILLIS = 3_600_000; // 1 hour, of the contract

  private final LockCalls calls;
  private final String key;
  private final Duration ttl;
  private final Deadline patience;
  private final String holderId = LockCalls.freshId();
  private volatile @Nullable Grant unconfirmed;
  private final CompletableFuture<Grant> result = new CompletableFuture<>();

  private Acquisition(LockCalls calls, String key, Duration ttl, Duration timeout) {
    this.calls = calls;
    this.key = key;
    this.ttl = ttl;
    this.patience = Deadline.in(timeout, calls.nanoClock());
  }

  /** Starts it. The future may be cancelled; a grant that comes later is then released. */
  static CompletableFuture<Grant> start(
      LockCalls calls, String key, Duration ttl, Duration timeout) {
    Acquisition acquisition = new Acquisition(calls, key, ttl, timeout);
    acquisition.askInLine();
    return acquisition.result;
  }

  private void askInLine() {
    long remaining = patience.remaining().plusNanos(999_999).toMillis(); // rounded up
    ask(Math.min(remaining, MAX_WAIT_MILLIS));
  }

  private void ask(long waitMillis) {
    LockRequest request = calls.lockRequest(key, ttl, holderId).setTimeoutMs(waitMillis).build();
    long sentNanos = calls.nanoClock().getAsLong();
    var unused =
        calls
            .lock(request)
            .whenComplete(
                (answer, failure) -> settle(failure, () -> onAnswer(request, answer, sentNanos)));
  }

  /** Whatever goes wrong here ends the wish: nobody waits for ever for a result. */
  private void settle(@Nullable Throwable failure, Runnable next) {
    try {
      if (failure != null) {
        onFailure(failure);
      } else {
        next.run();
      }
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  /** A grant that cannot be confirmed is given back; whether that arrives is not known either. */
  private void onFailure(Throwable failure) {
    Grant grant = unconfirmed;
    if (grant == null) {
      result.completeExceptionally(failure);
    } else {
      grant.releaseAsync();
      result.completeExceptionally(
          new Indeterminate(
              "lock [%s] was granted under token [%d] and could not be confirmed"
                  .formatted(key, grant.fencingToken()),
              failure));
    }
  }

  private void onAnswer(LockRequest request, LockResponse answer, long sentNanos) {
    unconfirmed = null;
    boolean waited = answer.getReason() == Reason.REASON_WAIT_TIMED_OUT;
    boolean confirmed = request.getTimeoutMs() == 0;
    if (answer.getAcquired() && answer.getHeldNow()) {
      onGrant(answer, sentNanos);
    } else if ((waited || confirmed) && !patience.isPassed()) {
      askAgain();
    } else {
      result.completeExceptionally(notAcquired(answer));
    }
  }

  private void askAgain() {
    if (!result.isDone()) {
      askInLine();
    }
  }

  private void onGrant(LockResponse answer, long sentNanos) {
    Duration grantedTtl = Duration.ofMillis(answer.getGrantedTtlMs());
    Deadline deadline = Deadline.ofGrant(sentNanos, grantedTtl, calls.nanoClock());
    Grant grant = new Grant(calls, key, answer.getFencingToken(), deadline);
    if (result.isDone()) {
      grant.releaseAsync();
    } else if (answer.getWaited()) {
      unconfirmed = grant;
      ask(/* waitMillis= */ 0);
    } else if (!grant.isSurelyHeld()) {
      grant
          .releaseAsync()
          .whenComplete((released, failure) -> settle(null, () -> onTooLate(answer)));
    } else if (!result.complete(grant)) {
      grant.releaseAsync();
    }
  }

  private void onTooLate(LockResponse answer) {
    if (patience.isPassed()) {
      result.completeExceptionally(
          new LockNotAcquired(
              key,
              "lock [%s] was granted under token [%d] too late to be surely held, and released"
                  .formatted(key, answer.getFencingToken())));
    } else {
      askAgain();
    }
  }

  private LockNotAcquired notAcquired(LockResponse answer) {
    String holder =
        answer.hasHolder()
            ? "held by client [%s] under token [%d]"
                .formatted(answer.getHolder().getClientId(), answer.getHolder().getFencingToken())
            : answer.getReason().name();
    return new LockNotAcquired(key, "lock [" + key + "] was not obtained: " + holder);
  }
}
