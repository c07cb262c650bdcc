package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.journal.state.Change;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.List;
import java.util.function.LongSupplier;

/** Something that always holds, told of everything that happens as it happens. */
interface ClusterInvariant {

  /** An event of a lock took its place in the log. */
  default void happened(Step step) {}

  /** A lease began. */
  default void began(LeaseLife lease, LeaseTerms terms) {}

  /** A lease ended; nothing of it is forgotten yet. */
  default void ended(LeaseLife lease, LeaseEvent.Cause cause) {}

  /** A keeper said that something lives on. */
  default void kept(NodeProcess by, Renewal renewal, long ageMs, Renewal.Answer answer) {}

  /** A keepalive came to an actor, and may count. */
  default void came(String key, LockCommand.Acquire acquire) {}

  /** A node was asked for a lock, by this client's request. */
  default void asked(LockCommand.Acquire acquire) {}

  /**
   * A linearizable read was answered.
   *
   * @param askedAfter the revision that was reached anywhere when it was asked
   * @param tokens of those that hold it
   */
  default void read(String key, long askedAfter, long revision, List<Long> tokens) {}

  /** A client was told what its request came to. */
  default void told(String key, LockCommand command, Outcome outcome) {}

  /**
   * A client was told what its request came to.
   *
   * @param sentUs the time when it sent the message that this answers
   */
  default void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {}

  /** A client was told that something lives on, or does not; {@code sentUs} is when it asked. */
  default void judged(Renewal renewal, Renewal.Answer answer, long sentUs) {}

  /**
   * A client was told that this token is held, in the state of this revision.
   *
   * @param sentUs the time when it sent the message that this answers
   */
  default void stands(String key, long token, long revision, long sentUs) {}

  /** A client was told that this token was released, in the state of this revision. */
  default void released(String key, long token, long revision) {}

  /**
   * A client was refused, and told who holds the lock in the state of this revision.
   *
   * @param sentUs the time when it sent the message that this answers; 0 if this holder is only
   *     shown
   */
  default void refusedFor(String key, long holder, long revision, long sentUs) {}

  /** A client counts its request as refused, and does nothing more about it. */
  default void refusedForGood(String key, RequestId request) {}

  /**
   * A grant to this request, or under this token, is to be given back; somebody sees to that for as
   * long as he lives.
   *
   * @param runsSinceUs since when he runs without a pause, or the end of time while he does not
   */
  default void givenBack(String key, Object what, LongSupplier runsSinceUs) {}

  /** The public state of a lock has changed. */
  default void changed(Change change) {}

  /** A write came to the store behind the locks, under this token. */
  default void wrote(String key, long token, boolean isAccepted) {}

  /** All events of an entry of the log took their place. */
  default void entryOver() {}

  /** All is calm, and every member has applied everything. */
  default void ended() {}

  /** One that looks at the world after every event. Few do, since that is often. */
  interface EachEvent extends ClusterInvariant {

    /** An event of the whole is over. */
    void eventOver();
  }
}
