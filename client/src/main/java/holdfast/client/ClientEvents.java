package holdfast.client;

import java.time.Duration;

/**
 * What a client tells of itself, for whoever measures it. Called on the client's own threads: an
 * implementation must be quick and safe for many threads.
 */
public interface ClientEvents {

  /** Tells nobody. */
  ClientEvents NONE = new ClientEvents() {};

  /** A wish for a lock has come to an end. */
  default void acquired(Outcome outcome, Duration took) {}

  /** A grant was released by its holder. */
  default void released(Duration heldFor) {}

  /** A grant was lost. */
  default void lost(LossReason reason) {}

  /** A stream to a node was opened. */
  default void connected(String endpoint) {}

  /** A stream to a node that had been opened has ended. */
  default void disconnected(String endpoint, String why) {}

  /** How a wish ended. */
  enum Outcome {
    GRANTED,
    NOT_ACQUIRED,
    FAILED
  }
}
