package io.holdfast.lease.rules;

import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.RequestHeader;

/** An event of one shared lease. */
public sealed interface LeaseEvent {

  /**
   * It began.
   *
   * @param request the request that was granted, so that its repetition is recognised
   */
  record Granted(LeaseTerms terms, RequestHeader request) implements LeaseEvent {}

  /** It ended, and all that hung on it. */
  record Ended(Cause cause) implements LeaseEvent {}

  /** The cause of the end of a lease. */
  enum Cause {
    /** Its ttl passed without a keepalive. */
    EXPIRED,
    /** It was asked to, or its session was closed. */
    REVOKED
  }

  /** One result for each kind of event; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R granted(Granted granted);

    R ended(Ended ended);
  }

  /** Answers with the case of this event's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Granted granted) {
      return cases.granted(granted);
    } else if (this instanceof Ended ended) {
      return cases.ended(ended);
    }
    throw new AssertionError(this);
  }
}
