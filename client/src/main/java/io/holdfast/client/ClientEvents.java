package io.holdfast.client;

import java.time.Duration;

/**
 * Receives the events of a client, for metrics. It is called on the client's own threads, so an
 * implementation must be quick and safe for many threads.
 */
public interface ClientEvents {

  /** Ignores all events. */
  ClientEvents NONE = new ClientEvents() {};

  /** An attempt to obtain a lock has ended. */
  default void acquired(Outcome outcome, Duration took) {}

  /** A grant was released by its holder. */
  default void released(Duration heldFor) {}

  /** A grant was lost. */
  default void lost(LossReason reason) {}

  /** A stream to a node was opened. */
  default void connected(String endpoint) {}

  /** A stream to a node that had been opened has ended. */
  default void disconnected(String endpoint, String why) {}

  /** The result of an attempt. */
  enum Outcome {
    GRANTED,
    NOT_ACQUIRED,
    FAILED
  }
}
