package io.holdfast.entity;

import io.holdfast.journal.FencedEvent;
import org.jspecify.annotations.Nullable;

/**
 * What an actor of a shard does about one message.
 *
 * @param write to be persisted; null if nothing changes
 * @param then is run once that is persisted
 * @param stops whether the actor ends
 */
record Reaction<S>(@Nullable FencedEvent<S> write, Runnable then, boolean stops) {

  /** Nothing, or nothing more. */
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
