package io.holdfast.entity;

import io.holdfast.journal.FencedEvent;
import org.jspecify.annotations.Nullable;

/**
 * The reaction of an actor to one message.
 *
 * @param write the event to persist; null if nothing changes
 * @param then runs after that is persisted
 * @param stops true if the actor stops
 */
record Reaction<S>(@Nullable FencedEvent<S> write, Runnable then, boolean stops) {

  /** Returns the reaction that does nothing more. */
  static <S> Reaction<S> none() {
    return new Reaction<>(null, () -> {}, /* stops= */ false);
  }

  static <S> Reaction<S> stop() {
    return new Reaction<>(null, () -> {}, /* stops= */ true);
  }

  static <S> Reaction<S> persist(FencedEvent<S> write, Runnable then) {
    return new Reaction<>(write, then, /* stops= */ false);
  }
}
