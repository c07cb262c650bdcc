package io.holdfast.journal.state;

/**
 * What became of an append. All but {@link Applied} say that this copy of it changed nothing; after
 * {@link Fenced} and {@link Forgotten} an earlier copy may have been applied.
 */
public sealed interface Verdict {

  /**
   * It took effect.
   *
   * @param revision of its last public change, or of the last one before
   * @param ended how many parts of other ids' records ended with the lease that it ended
   */
  record Applied(long revision, int ended) implements Verdict {}

  /** The shard has moved on to another epoch: its writer must stop. Nothing is recorded. */
  record Fenced(long epoch) implements Verdict {}

  /** Something before it is missing: send again, in order. Nothing is recorded. */
  record Gap(long expected) implements Verdict {}

  /** The number came so long ago that its verdict is no longer known. */
  record Forgotten(long number) implements Verdict {}

  /** It does not follow the history: the id's last event has this number, 0 for none. */
  record WrongSequence(long highest) implements Verdict {}

  /** A lease that it needs, or that it would end, is not alive. */
  record LeaseDead(LeaseRef lease) implements Verdict {}

  /** The lease that it would begin is alive. */
  record LeaseAlive(LeaseRef lease) implements Verdict {}

  /**
   * A request that it would answer was answered before.
   *
   * @param answer which of its answers, from 0
   * @param outcome the outcome that stands
   */
  record AlreadyAnswered(int answer, Bytes outcome) implements Verdict {}

  /**
   * A request that it would answer is older than what the client said it still waits for, or than
   * what is kept: it may have been answered before.
   */
  record RequestForgotten(int answer) implements Verdict {}

  /**
   * It would answer a new request without a session, and as many outcomes are kept as may be, none
   * of which may be forgotten yet.
   */
  record TooManyRequests(int answer) implements Verdict {}

  /** The history is too long: send it with the state. */
  record TooManyEvents(int max) implements Verdict {}

  /**
   * It needs room, and all that is kept has reached its bound.
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
