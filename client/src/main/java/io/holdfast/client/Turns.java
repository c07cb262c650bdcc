package io.holdfast.client;

import io.holdfast.client.session.SessionCore;
import java.util.function.Consumer;

/** Posts actions to the thread of a client's session, from any thread. */
interface Turns {

  /** An action on the core, with the time. */
  interface Turn {
    void take(SessionCore core, long now);
  }

  /** Posts an action; never blocks. It is refused once the session has ended. */
  default void post(Turn turn) {
    post(turn, fault -> {});
  }

  /**
   * As {@link #post(Turn)}.
   *
   * @param onFault called on the session's thread if the action fails, so that no caller waits for
   *     ever
   */
  void post(Turn turn, Consumer<Throwable> onFault);
}
