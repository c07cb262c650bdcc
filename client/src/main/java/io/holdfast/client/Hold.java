package io.holdfast.client;

import io.holdfast.client.session.Failure;
import io.holdfast.client.session.HeldGrant;
import io.holdfast.client.session.SessionCore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state that all handles of one grant share: its loss, its release, and the number of open
 * handles.
 */
final class Hold {

  private final Turns session;
  private final ClientSettings settings;
  private final HeldGrant held;
  private final long sinceNanos;
  private final AtomicInteger handles = new AtomicInteger(1);
  private final CompletableFuture<LossReason> loss = new CompletableFuture<>();
  private final Set<Interruption> sections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable CompletableFuture<Boolean>> release =
      new AtomicReference<>();

  Hold(Turns session, ClientSettings settings, HeldGrant held) {
    this.session = session;
    this.settings = settings;
    this.held = held;
    this.sinceNanos = settings.nanoClock().getAsLong();
    held.onLost(reason -> lose(LossReason.of(reason)));
  }

  HeldGrant held() {
    return held;
  }

  ClientSettings settings() {
    return settings;
  }

  Deadline deadline() {
    return new Deadline(held.validity().deadlineNanos(), settings.nanoClock());
  }

  /** Completes on the thread that detects the loss, at once: callbacks must be short. */
  CompletableFuture<LossReason> loss() {
    return loss;
  }

  boolean isReleased() {
    return release.get() != null;
  }

  Grant.State state() {
    // Checks the deadline first: a session that recovers has reported the loss before.
    long now = settings.nanoClock().getAsLong();
    boolean isSure = held.validity().isSureAt(now);
    if (loss.isDone()) {
      return Grant.State.LOST;
    } else if (isReleased()) {
      return Grant.State.RELEASED;
    } else if (!isSure) {
      return Grant.State.LOST;
    }
    return held.validity().isInDoubtAt(now) ? Grant.State.IN_DOUBT : Grant.State.HELD;
  }

  /** Does nothing while the lock is surely held; reports the loss if it is not. */
  void ensureHeld() {
    Grant.State state = state();
    if (state == Grant.State.LOST) {
      if (lose(LossReason.DEADLINE_PASSED)) {
        session.post(
            (core, now) ->
                core.lose(held, io.holdfast.client.session.LossCause.DEADLINE_PASSED, now));
      }
      throw notSurelyHeld();
    } else if (state == Grant.State.RELEASED) {
      throw notSurelyHeld();
    }
  }

  NotSurelyHeld notSurelyHeld() {
    return new NotSurelyHeld(held.key(), held.fencingToken(), loss.getNow(null));
  }

  private boolean lose(LossReason reason) {
    if (isReleased() || !loss.complete(reason)) {
      return false;
    }
    sections.forEach(Interruption::strike);
    settings.events().lost(reason);
    return true;
  }

  /** Enters a section on the caller's thread, which is interrupted if the grant is lost. */
  Interruption enter() {
    Interruption section = new Interruption();
    sections.add(section);
    if (loss.isDone()) {
      section.strike();
    }
    return section;
  }

  /** Leaves the section, and clears an interrupt of ours. */
  void leave(Interruption section) {
    sections.remove(section);
    section.end();
  }

  void reenter() {
    if (handles.getAndUpdate(count -> count == 0 ? 0 : Math.incrementExact(count)) == 0) {
      throw notSurelyHeld();
    }
  }

  /** Closes one handle; the last one releases the grant. */
  CompletableFuture<Boolean> leave() {
    return handles.decrementAndGet() > 0
        ? CompletableFuture.completedFuture(!loss.isDone())
        : releasing();
  }

  /** The next call asks again. */
  private void notYet(CompletableFuture<Boolean> mine, Throwable failure) {
    release.set(null);
    mine.completeExceptionally(failure);
  }

  /** Requests the release once, and again only after a failure. */
  CompletableFuture<Boolean> releasing() {
    handles.set(0);
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> other = release.compareAndExchange(null, mine);
    if (other != null) {
      return other;
    } else if (loss.isDone()) {
      mine.complete(false); // the session releases the rest
      return mine;
    }
    long askedNanos = settings.nanoClock().getAsLong();
    session.post(
        (core, now) ->
            core.release(
                held,
                new SessionCore.Release() {
                  @Override
                  public void released(boolean wasHeld) {
                    settings.events().released(Duration.ofNanos(askedNanos - sinceNanos));
                    mine.complete(wasHeld);
                  }

                  @Override
                  public void failed(Failure failure) {
                    notYet(mine, FailureReader.read(failure));
                  }
                },
                now),
        fault -> notYet(mine, fault));
    return mine;
  }
}
