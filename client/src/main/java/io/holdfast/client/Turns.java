package io.holdfast.client;

import io.holdfast.client.session.SessionCore;
import java.util.function.Consumer;

/** The way to a client's session, from any thread. */
interface Turns {

  /** Something for the core, at that time. */
  interface Turn {
    void take(SessionCore core, long now);
  }

  /** Gives the core something; never waits. Nothing is taken once the session has ended. */
  default void post(Turn turn) {
    post(turn, fault -> {});
  }

  /**
   * As {@link #post(Turn)}.
   *
   * @param onFault told on the session's thread if the turn fails, so that nobody waits for it in
   *     vain
   */
  void post(Turn turn, Consumer<Throwable> onFault);
}
