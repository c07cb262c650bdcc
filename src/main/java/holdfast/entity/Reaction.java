package holdfast.entity;

import java.util.List;
import java.util.function.Consumer;

/**
 * What an actor of a shard does about one message.
 *
 * @param events to be persisted together; none if nothing changes
 * @param then is run with the state after them, once they are persisted
 * @param stops whether the actor ends
 */
record Reaction<E, S>(List<E> events, Consumer<S> then, boolean stops) {

  Reaction {
    events = List.copyOf(events);
  }

  /** Nothing, or nothing more. */
  static <E, S> Reaction<E, S> none() {
    return new Reaction<>(List.of(), state -> {}, /* stops= */ false);
  }

  static <E, S> Reaction<E, S> stop() {
    return new Reaction<>(List.of(), state -> {}, /* stops= */ true);
  }

  static <E, S> Reaction<E, S> persist(List<E> events, Consumer<S> then) {
    return new Reaction<>(events, then, /* stops= */ false);
  }
}
