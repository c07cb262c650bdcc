package io.holdfast.client.session;

import io.holdfast.v1.SessionRequest;

/** An action on a connection that the rules ask for. */
public sealed interface Effect {

  /** Opens a stream to a node and sends its first frame. */
  record Open(int node, String endpoint, long stream, SessionRequest first) implements Effect {}

  /** Sends a frame. */
  record Send(int node, long stream, SessionRequest frame) implements Effect {}

  /**
   * Ends a stream.
   *
   * @param broken true if its connection must be replaced
   */
  record End(int node, long stream, boolean broken) implements Effect {}
}
