package io.holdfast.client.session;

import io.holdfast.v1.SessionRequest;

/** One node as the session sees it: an address, and at most one stream. */
final class Node {

  enum Phase {
    /** No stream. */
    AWAY,
    /** A stream whose first frame has not been answered. */
    OPENING,
    /** A stream that serves. */
    OPEN,
    /** A stream of a session that was opened too late, and is told to end. */
    CLOSING
  }

  final int id;
  final String endpoint;

  Phase phase = Phase.AWAY;

  /** Tells this stream from the ones before it. */
  long stream;

  /** The id of the session that this stream is of; 0 until the one that it opens is known. */
  long session;

  /** The id of the member that answered there last; 0 if none has yet. */
  long member;

  /** The time when this stream's first frame went out: what it renews counts from here. */
  long openedAt;

  /**
   * Since when an answer to that, or to a close, is waited for, without the time in which nobody
   * looked.
   */
  long awaitedFrom;

  /** The time when something came on this stream last. */
  long heardAt;

  /** The number of a probe that is out. 0: none. */
  long probe;

  long probedAt;

  /** No stream is opened before that. */
  long retryAt;

  int failures;

  /** It has said that it cannot serve: others are asked first until then. */
  long shunnedUntil;

  boolean isShunned;

  /** It has said that it is of another cluster: others are asked first. */
  boolean isOfAnother;

  /** It is about to stop: it gets nothing new. */
  boolean isLeaving;

  SessionRequest.Builder next = SessionRequest.newBuilder();
  boolean hasNext;
  int nextBytes;

  /** The number of operations that are out on this stream, neither answered nor known to wait. */
  int out;

  /** The number of operations that are open on it, with those that wait. */
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

  /** True if it should be given new operations. */
  boolean isGood(long now) {
    if (isShunned && shunnedUntil - now <= 0) {
      isShunned = false;
    }
    return isOpen() && !isLeaving && !isShunned;
  }
}
