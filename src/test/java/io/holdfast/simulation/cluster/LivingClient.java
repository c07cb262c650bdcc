package io.holdfast.simulation.cluster;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A client in the world: it asks for locks, and things happen to it. */
interface LivingClient {

  void begin();

  /** Something of this process happens later; if it stands still then, once it goes on. */
  void later(long delayUs, Object what, Runnable action);

  /** The process is stopped for a while. */
  void pause(long forUs);

  void die();

  /** It ends its session, with all that hangs on it. */
  void closeSession();

  /** Shows each of its parts that may believe to hold a lock. */
  void eachBelief(Consumer<Belief> look);

  /** It asks once more for each of its keys, now that all is well. */
  void askOnceMore();

  /** The part of that which it was not given; null if nothing is left. */
  @Nullable String unserved();
}
