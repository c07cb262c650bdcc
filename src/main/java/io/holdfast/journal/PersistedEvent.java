package io.holdfast.journal;

/**
 * One decision, as an actor persists it and replays it.
 *
 * @param <S> the actor's state
 */
public interface PersistedEvent<S> {

  /** The state after it. */
  S after(S before);
}
