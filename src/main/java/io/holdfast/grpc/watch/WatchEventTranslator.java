package io.holdfast.grpc.watch;

import io.holdfast.journal.state.PublicRecord;
import io.holdfast.v1.Cause;
import io.holdfast.v1.LockRecord;
import io.holdfast.watch.LockChange;

/** Translates the public records and changes of the journal into the events of watches. */
interface WatchEventTranslator {

  /** The cause of a change. An absent part is UNSPECIFIED or empty, as in the protocol. */
  record EventCause(Cause cause, Cause endCause, String forceReason, String principal) {

    static EventCause of(Cause cause) {
      return new EventCause(cause, Cause.CAUSE_UNSPECIFIED, "", "");
    }
  }

  /** Returns the record of a held lock. */
  LockRecord record(String key, PublicRecord record);

  EventCause cause(LockChange change);
}
