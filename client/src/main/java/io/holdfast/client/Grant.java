package io.holdfast.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An acquired lock. The client renews it until it is released. It is surely held until its {@link
 * #deadline()}, which each renewal extends. While renewals fail it is in doubt, and at its deadline
 * it is lost, before the server can grant the lock to another holder.
 *
 * <p>A thread may pause for any time between its check of the deadline and its next action. So pass
 * {@link #fencingToken()} to the store with each write, and let the store refuse smaller tokens
 * than it has seen. Only that stops a late holder.
 */
public final class Grant implements AutoCloseable {

  /** The state of a grant. */
  public enum State {
    /** Surely held, and renewed in time. */
    HELD,

    /** Surely held until the deadline, but renewals are overdue. Do not start long work. */
    IN_DOUBT,

    /** Another holder may have the lock. */
    LOST,

    /** Released, or being released. */
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

  /** Returns the fencing token of this grant. Every later grant of the key has a larger one. */
  public long fencingToken() {
    return hold.held().fencingToken();
  }

  /** Returns the time until which the lock is surely held without another renewal. */
  public Deadline deadline() {
    return hold.deadline();
  }

  /** Returns the time until the deadline; zero once it has passed. */
  public Duration remaining() {
    return deadline().remaining();
  }

  /** Returns the state by the clock, without a request to a server or another thread. */
  public State state() {
    State state = hold.state();
    return left.get() != null && state != State.LOST ? State.RELEASED : state;
  }

  /** True if no other holder can have the lock now. False from the start of a release on. */
  public boolean isSurelyHeld() {
    State state = state();
    return state == State.HELD || state == State.IN_DOUBT;
  }

  /**
   * Checks that the lock is surely held. Call it before each side effect: it reads the clock, so
   * that a thread detects here that it was paused for too long.
   *
   * @throws NotSurelyHeld if it is not, with the reason
   */
  public void ensureHeld() {
    hold.ensureHeld();
    if (left.get() != null) {
      throw hold.notSurelyHeld();
    }
  }

  /**
   * Returns the reason for which it was lost; empty while it is held, and after a release in time.
   */
  public Optional<LossReason> lost() {
    return Optional.ofNullable(hold.loss().getNow(null));
  }

  /**
   * Registers a listener for the loss. It is called once, on one of the client's callback threads,
   * and at once if the grant is lost already. A release is no loss.
   */
  public void onLost(Consumer<LossReason> listener) {
    var unused = hold.loss().thenAcceptAsync(listener, hold.settings().callbacks());
  }

  /**
   * Enters the lock again: returns another handle of the same grant, with the same token. The lock
   * is released when all its handles are. No request is sent.
   *
   * @throws NotSurelyHeld if it is not held any more
   */
  public Grant reenter() {
    ensureHeld();
    hold.reenter();
    return new Grant(hold);
  }

  /**
   * Runs a section under the lock, which stays held. If the grant is lost, the caller's thread is
   * interrupted, which ends a wait or a sleep. A long computation should check {@link
   * #isSurelyHeld()} from time to time.
   *
   * @throws NotSurelyHeld if the grant was lost before the end; an exception of the section is
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
   * Releases the lock, or only this handle if others are open, and waits some seconds at most for
   * the answer. After that the client retries the release as long as it lives. Once it is answered,
   * later calls return the same.
   *
   * @return true if the lock was held until then; false if it was lost before
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

  /** Releases a grant that no caller has taken. */
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
   * Releases the lock, and throws nothing: without an answer in time the client retries in the
   * background. To see the result, call {@link #release()} before.
   */
  @Override
  public void close() {
    try {
      release();
    } catch (HoldfastException e) {
      // The release is retried. An exception here would hide that of the block.
    }
  }

  @Override
  public String toString() {
    return "Grant[key=%s, fencingToken=%d, state=%s, deadline=%s]"
        .formatted(key(), fencingToken(), state(), deadline());
  }
}
