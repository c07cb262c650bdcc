package io.holdfast.journal;

/**
 * One decision, as an actor persists it and as it comes back when it is replayed.
 *
 * @param <S> the actor's state
 */
public interface PersistedEvent<S> {

  /** The state after it. */
  S after(S before);
}
