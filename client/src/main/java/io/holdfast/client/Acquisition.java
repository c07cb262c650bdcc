package io.holdfast.client;

import io.holdfast.client.ClientEvents.Outcome;
import io.holdfast.client.session.Failure;
import io.holdfast.client.session.HeldGrant;
import io.holdfast.client.session.LockAttempt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An attempt to obtain a lock, as a future. If it is cancelled, a grant that comes later is
 * released.
 */
final class Acquisition implements LockAttempt.Listener {

  private final Turns session;
  private final ClientSettings settings;
  private final String key;
  private final long startedNanos;
  private final CompletableFuture<Grant> result = new CompletableFuture<>();

  /** Only of the session's thread. */
  private @Nullable LockAttempt attempt;

  private Acquisition(Turns session, ClientSettings settings, String key) {
    this.session = session;
    this.settings = settings;
    this.key = key;
    this.startedNanos = settings.nanoClock().getAsLong();
  }

  static CompletableFuture<Grant> start(
      Turns session, ClientSettings settings, LockAttempt.Terms terms) {
    Acquisition acquisition = new Acquisition(session, settings, terms.key());
    session.post(
        (core, now) -> {
          if (!acquisition.result.isDone()) {
            acquisition.attempt = core.acquire(terms, acquisition, now);
          }
        },
        acquisition.result::completeExceptionally);
    var unused =
        acquisition.result.whenComplete(
            (grant, failure) -> {
              if (acquisition.result.isCancelled()) {
                acquisition.cancel();
              }
            });
    return acquisition.result;
  }

  private void cancel() {
    session.post(
        (core, now) -> {
          if (attempt != null) {
            core.cancel(attempt, now);
          }
        });
  }

  @Override
  public void granted(HeldGrant held) {
    Grant grant = new Grant(new Hold(session, settings, held));
    told(Outcome.GRANTED);
    if (!result.complete(grant)) {
      grant.giveBack();
    }
  }

  @Override
  public void notAcquired(String why) {
    told(Outcome.NOT_ACQUIRED);
    result.completeExceptionally(new LockNotAcquired(key, why));
  }

  @Override
  public void failed(Failure failure) {
    told(Outcome.FAILED);
    result.completeExceptionally(FailureReader.read(failure));
  }

  private void told(Outcome outcome) {
    settings
        .events()
        .acquired(outcome, Duration.ofNanos(settings.nanoClock().getAsLong() - startedNanos));
  }
}
