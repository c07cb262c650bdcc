package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;

/**
 * The journal's verdict on an append. With all but {@link Applied}, this copy of it changed
 * nothing; after {@link Fenced} and {@link Forgotten} an earlier copy may have been applied.
 */
public sealed interface Verdict {

  /**
   * The append took effect.
   *
   * @param revision of its last public change, or of the last one before
   * @param ended the number of parts of other ids' records that ended with the lease that it ended
   */
  record Applied(Revision revision, int ended) implements Verdict {}

  /** The shard has another epoch now: the writer must stop. The verdict is not recorded. */
  record Fenced(Epoch epoch) implements Verdict {}

  /** An earlier append is missing: send again, in order. The verdict is not recorded. */
  record Gap(long expected) implements Verdict {}

  /** The append came so long ago that its verdict is no longer known. */
  record Forgotten(long number) implements Verdict {}

  /** The append does not follow the history: the id's last event has this number, 0 for none. */
  record WrongSequence(long highest) implements Verdict {}

  /** A lease that the append needs, or would end, is not alive. */
  record LeaseDead(LeaseLife lease) implements Verdict {}

  /** The lease that the append would begin is already alive. */
  record LeaseAlive(LeaseLife lease) implements Verdict {}

  /**
   * A request that the append would answer was answered before.
   *
   * @param answer the index of the answer, from 0
   * @param outcome the recorded outcome
   */
  record AlreadyAnswered(int answer, Bytes outcome) implements Verdict {}

  /**
   * A request that the append would answer is older than all that the client still waits for, or
   * than all outcomes that are kept: it may have been answered before.
   */
  record RequestForgotten(int answer) implements Verdict {}

  /**
   * The append would answer a new named request, but the most outcomes are already kept, none of
   * which may be forgotten yet.
   */
  record TooManyRequests(int answer) implements Verdict {}

  /** The history is too long: send the append with a state. */
  record TooManyEvents(int max) implements Verdict {}

  /**
   * The append needs room, but the size has reached its bound.
   *
   * @param bound in bytes
   */
  record StateFull(long bound) implements Verdict {}

  /** One result for each kind of verdict; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R applied(Applied applied);

    R fenced(Fenced fenced);

    R gap(Gap gap);

    R forgotten(Forgotten forgotten);

    R wrongSequence(WrongSequence wrongSequence);

    R leaseDead(LeaseDead leaseDead);

    R leaseAlive(LeaseAlive leaseAlive);

    R alreadyAnswered(AlreadyAnswered alreadyAnswered);

    R requestForgotten(RequestForgotten requestForgotten);

    R tooManyRequests(TooManyRequests tooManyRequests);

    R tooManyEvents(TooManyEvents tooManyEvents);

    R stateFull(StateFull stateFull);
  }

  /** Answers with the case of this verdict's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Applied applied) {
      return cases.applied(applied);
    } else if (this instanceof Fenced fenced) {
      return cases.fenced(fenced);
    } else if (this instanceof Gap gap) {
      return cases.gap(gap);
    } else if (this instanceof Forgotten forgotten) {
      return cases.forgotten(forgotten);
    } else if (this instanceof WrongSequence wrongSequence) {
      return cases.wrongSequence(wrongSequence);
    } else if (this instanceof LeaseDead leaseDead) {
      return cases.leaseDead(leaseDead);
    } else if (this instanceof LeaseAlive leaseAlive) {
      return cases.leaseAlive(leaseAlive);
    } else if (this instanceof AlreadyAnswered alreadyAnswered) {
      return cases.alreadyAnswered(alreadyAnswered);
    } else if (this instanceof RequestForgotten requestForgotten) {
      return cases.requestForgotten(requestForgotten);
    } else if (this instanceof TooManyRequests tooManyRequests) {
      return cases.tooManyRequests(tooManyRequests);
    } else if (this instanceof TooManyEvents tooManyEvents) {
      return cases.tooManyEvents(tooManyEvents);
    } else if (this instanceof StateFull stateFull) {
      return cases.stateFull(stateFull);
    }
    throw new AssertionError(this);
  }
}
