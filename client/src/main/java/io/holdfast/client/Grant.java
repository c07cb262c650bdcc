package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that was obtained. The client renews it until it is released; it is surely held until its
 * {@link #deadline()}, which moves on with every renewal. When renewals fail it is in doubt, and at
 * its deadline it is lost: before the server can give it to anybody else.
 *
 * <p>A thread may be stopped for any time between a look at the deadline and what it does next. So
 * hand {@link #fencingToken()} to the store with each write, and let the store refuse a smaller
 * token than it has seen: that, and only that, stops a holder that is late.
 */
public final class Grant implements AutoCloseable {

  /** The state of a grant. */
  public enum State {
    /** Surely held, and renewed in time. */
    HELD,

    /** Surely held until the deadline; renewals are overdue. Begin nothing long. */
    IN_DOUBT,

    /** Somebody else may hold the lock. */
    LOST,

    /** Given back, or about to be. */
    RELEASED
  }

  private final Hold hold;
  private final AtomicReference<@Nullable CompletableFuture<Boolean>> left =
      new AtomicReference<>();

  Grant(Hold hold) {
    this.hold = hold;
  }

  public String key() {
    return hold.held().key();
  }

  /** The number of this grant. Later grants of the key have larger ones, for ever. */
  public long fencingToken() {
    return hold.held().fencingToken();
  }

  /** Until when the lock is surely held if it is neither renewed nor released. */
  public Deadline deadline() {
    return hold.deadline();
  }

  /** The time until the deadline; zero once it has passed. */
  public Duration remaining() {
    return deadline().remaining();
  }

  /** The state by the clock of now: no other thread and no server is asked. */
  public State state() {
    State state = hold.state();
    return left.get() != null && state != State.LOST ? State.RELEASED : state;
  }

  /** True if nobody else can hold the lock now. False from the start of a release on. */
  public boolean isSurelyHeld() {
    State state = state();
    return state == State.HELD || state == State.IN_DOUBT;
  }

  /**
   * Does nothing while the lock is surely held. To be called before each side effect: it looks at
   * the clock itself, so that a thread that was stopped for long learns of it here.
   *
   * @throws NotSurelyHeld if it is not, with the reason
   */
  public void ensureHeld() {
    hold.ensureHeld();
    if (left.get() != null) {
      throw hold.notSurelyHeld();
    }
  }

  /** Why it was lost; empty while it is held, and after a release in time. */
  public Optional<LossReason> lost() {
    return Optional.ofNullable(hold.loss().getNow(null));
  }

  /**
   * Has the loss told, once, on one of the client's callback threads; at once if it is lost
   * already. A release is no loss.
   */
  public void onLost(Consumer<LossReason> listener) {
    var unused = hold.loss().thenAcceptAsync(listener, hold.settings().callbacks());
  }

  /**
   * Enters the lock again: another handle of the same grant, under the same token. The lock is
   * released when all its handles are. Nobody is asked.
   *
   * @throws NotSurelyHeld if it is not held any more
   */
  public Grant reenter() {
    ensureHeld();
    hold.reenter();
    return new Grant(hold);
  }

  /**
   * Runs something under the lock, which stays held. If the grant is lost meanwhile, the caller's
   * thread is interrupted, so that what waits or sleeps ends; what computes should ask {@link
   * #isSurelyHeld()} from time to time.
   *
   * @throws NotSurelyHeld if the grant was lost before the end; what the section threw is
   *     suppressed in it
   */
  public <T, E extends Exception> T inCriticalSection(CriticalSection<T, E> section) throws E {
    ensureHeld();
    Interruption interruption = hold.enter();
    T result;
    try {
      result = section.run(this);
    } catch (Exception e) {
      if (hold.loss().isDone()) {
        NotSurelyHeld lost = hold.notSurelyHeld();
        lost.addSuppressed(e);
        throw lost;
      }
      throw e;
    } finally {
      hold.leave(interruption);
    }
    if (!hold.isReleased()) { // by the section itself, which may
      hold.ensureHeld();
    }
    return result;
  }

  /**
   * Releases the lock, or with other handles open only this one, and waits for the answer, for some
   * seconds at most. After that the client goes on to release it, for as long as it lives. Once
   * answered, later calls return the same.
   *
   * @return whether the lock was held until then; false if it was lost before
   * @throws Unavailable if no node was reached yet
   * @throws Indeterminate if no answer came yet
   */
  public boolean release() {
    return Blocking.join(releasing());
  }

  /** As {@link #release()}, without waiting. */
  public CompletionStage<Boolean> releaseAsync() {
    return HandedOver.to(hold.settings().callbacks(), releasing());
  }

  /** Nobody has come for it. */
  void giveBack() {
    var unused = releasing();
  }

  private CompletableFuture<Boolean> releasing() {
    CompletableFuture<Boolean> mine = new CompletableFuture<>();
    CompletableFuture<Boolean> other = left.compareAndExchange(null, mine);
    if (other != null && !other.isCompletedExceptionally()) {
      return other;
    }
    CompletableFuture<Boolean> leaving = other == null ? hold.leave() : hold.releasing();
    if (other != null) {
      left.set(mine);
    }
    var unused =
        leaving.whenComplete(
            (held, failure) -> {
              if (failure == null) {
                mine.complete(held);
              } else {
                mine.completeExceptionally(failure);
              }
            });
    return mine;
  }

  /**
   * Releases the lock, and throws nothing: without an answer in time the client goes on to release
   * it. Who needs to know calls {@link #release()} before.
   */
  @Override
  public void close() {
    try {
      release();
    } catch (HoldfastException e) {
      // Said above: it goes on. Thrown here, it would hide what went wrong in the block.
    }
  }

  @Override
  public String toString() {
    return "Grant[key=%s, fencingToken=%d, state=%s, deadline=%s]"
        .formatted(key(), fencingToken(), state(), deadline());
  }
}
