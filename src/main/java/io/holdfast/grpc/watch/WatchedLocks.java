package io.holdfast.grpc.watch;

import io.holdfast.journal.state.PublicRecord;
import io.holdfast.v1.Cause;
import io.holdfast.v1.LockRecord;
import io.holdfast.watch.LockChange;

/** Translates what the journal makes public of locks into what a watch tells of them. */
interface WatchedLocks {

  /** Why a lock changed. What is not there is UNSPECIFIED or empty, as the protocol says. */
  record Why(Cause cause, Cause endCause, String forceReason, String principal) {

    static Why of(Cause cause) {
      return new Why(cause, Cause.CAUSE_UNSPECIFIED, "", "");
    }
  }

  /** The record of a held lock. */
  LockRecord record(String key, PublicRecord record);

  Why why(LockChange change);
}
