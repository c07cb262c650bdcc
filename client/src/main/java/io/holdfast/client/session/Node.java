package io.holdfast.client.session;

import io.holdfast.v1.SessionRequest;

/** A node of the session: an address and at most one stream. */
final class Node {

  enum Phase {
    /** No stream. */
    AWAY,
    /** A stream whose first frame has not been answered. */
    OPENING,
    /** A stream that serves. */
    OPEN,
    /** A stream of a session that was opened too late, and is being closed. */
    CLOSING
  }

  final int id;
  final String endpoint;

  Phase phase = Phase.AWAY;

  /** Distinguishes this stream from earlier ones. */
  long stream;

  /** The id of the stream's session; 0 until it is known. */
  long session;

  /** The id of the member that answered last; 0 if none has yet. */
  long member;

  /** The time when this stream's first frame was sent: the renewal by it counts from here. */
  long openedAt;

  /**
   * The start of the wait for an answer to the first frame or to a close, without pauses of this
   * client.
   */
  long awaitedFrom;

  /** The time of the last frame on this stream. */
  long heardAt;

  /** The number of an unanswered probe; 0 for none. */
  long probe;

  long probedAt;

  /** The earliest time to open the next stream. */
  long retryAt;

  int failures;

  /** The time until which other nodes are preferred, because this one could not serve. */
  long shunnedUntil;

  boolean isShunned;

  /** True if it belongs to another cluster: other nodes are preferred. */
  boolean isOfAnother;

  /** True if it is shutting down: it gets no new operations. */
  boolean isLeaving;

  SessionRequest.Builder next = SessionRequest.newBuilder();
  boolean hasNext;
  int nextBytes;

  /** The number of operations on this stream that are neither answered nor known to wait. */
  int out;

  /** The number of open operations on this stream, including those that wait. */
  int load;

  int maxLoad = 1;

  Node(int id, String endpoint, long now) {
    this.id = id;
    this.endpoint = endpoint;
    this.retryAt = now;
  }

  boolean isOpen() {
    return phase == Phase.OPEN;
  }

  /** True if it may get new operations. */
  boolean isGood(long now) {
    if (isShunned && shunnedUntil - now <= 0) {
      isShunned = false;
    }
    return isOpen() && !isLeaving && !isShunned;
  }
}
