package holdfast.client;

import holdfast.client.ClientEvents.Outcome;
import holdfast.client.session.Failure;
import holdfast.client.session.HeldGrant;
import holdfast.client.session.Wish;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A wish for a lock as a future, which may be cancelled; a grant that comes later is released. */
final class Acquisition implements Wish.Listener {

  private final SessionLoop loop;
  private final ClientSettings settings;
  private final String key;
  private final long startedNanos;
  private final CompletableFuture<Grant> result = new CompletableFuture<>();

  /** Only of the session's thread. */
  private @Nullable Wish wish;

  private Acquisition(SessionLoop loop, ClientSettings settings, String key) {
    this.loop = loop;
    this.settings = settings;
    this.key = key;
    this.startedNanos = settings.nanoClock().getAsLong();
  }

  static CompletableFuture<Grant> start(
      SessionLoop loop, ClientSettings settings, Wish.Terms terms) {
    Acquisition acquisition = new Acquisition(loop, settings, terms.key());
    loop.post(
        (core, now) -> {
          if (!acquisition.result.isDone()) {
            acquisition.wish = core.acquire(terms, acquisition, now);
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
    loop.post(
        (core, now) -> {
          if (wish != null) {
            core.cancel(wish, now);
          }
        });
  }

  @Override
  public void granted(HeldGrant held) {
    Grant grant = new Grant(new Hold(loop, settings, held));
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
