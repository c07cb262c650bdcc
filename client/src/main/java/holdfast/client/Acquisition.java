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
   * Its ttl counts from the grant, and the client does not know when that was. The contract has it
   * confirmed by a renewal, which this client does not send yet. The latest moment at which the
   * grant was surely not made yet is when the request was sent, so its deadline counts from there,
   * as if it had been granted at once. The time in line eats the ttl. Hence no single request waits
   * longer than half of what its ttl is good for: when that has passed, the next one asks anew, at
   * the end of the line. A grant whose deadline has passed when it arrives is released, and never
   * called held.
   */

  private static final long MAX_WAIT_MILLIS = 3_600_000; // 1 hour, of the contract

  private final LockCalls calls;
  private final String key;
  private final Duration ttl;
  private final Deadline patience;
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
    acquisition.ask();
    return acquisition.result;
  }

  private void ask() {
    LockRequest request = calls.lockRequest(key, ttl).setTimeoutMs(waitMillis()).build();
    long sentNanos = calls.nanoClock().getAsLong();
    var unused =
        calls
            .lock(request)
            .whenComplete((answer, failure) -> settle(failure, () -> onAnswer(answer, sentNanos)));
  }

  /** Whatever goes wrong here ends the wish: nobody waits for ever for a result. */
  private void settle(@Nullable Throwable failure, Runnable next) {
    try {
      if (failure != null) {
        result.completeExceptionally(failure);
      } else {
        next.run();
      }
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }

  private long waitMillis() {
    long useful = Math.max(1, Deadline.surelyHeld(ttl).toMillis() / 2);
    return Math.min(Math.min(patience.remaining().toMillis(), useful), MAX_WAIT_MILLIS);
  }

  private void onAnswer(LockResponse answer, long sentNanos) {
    if (answer.getAcquired() && answer.getHeldNow()) {
      Duration grantedTtl = Duration.ofMillis(answer.getGrantedTtlMs());
      Deadline deadline = Deadline.ofGrant(sentNanos, grantedTtl, calls.nanoClock());
      onGrant(new Grant(calls, key, answer.getFencingToken(), deadline));
    } else if (answer.getReason() == Reason.REASON_WAIT_TIMED_OUT && !patience.isPassed()) {
      askAgain();
    } else {
      result.completeExceptionally(notAcquired(answer));
    }
  }

  private void onGrant(Grant grant) {
    if (!grant.isSurelyHeld()) {
      grant.releaseAsync().whenComplete((released, failure) -> settle(null, this::onReleased));
    } else if (!result.complete(grant)) {
      grant.releaseAsync();
    }
  }

  private void onReleased() {
    if (patience.isPassed()) {
      result.completeExceptionally(
          new LockNotAcquired(
              key, "lock [" + key + "] was granted too late to be surely held, and released"));
    } else {
      askAgain();
    }
  }

  private void askAgain() {
    if (!result.isDone()) {
      ask();
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
