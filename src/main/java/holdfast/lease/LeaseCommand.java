package holdfast.lease;

import holdfast.lock.Request;

/** What can be asked of one shared lease. */
public sealed interface LeaseCommand {

  /** Begin. */
  record Grant(Request request, LeaseTerms terms) implements LeaseCommand {}

  /**
   * End, with all that hangs on it.
   *
   * @param incarnation the one that is meant; 0 for whichever is alive
   */
  record Revoke(Request request, long incarnation) implements LeaseCommand {}

  /** End: the ttl of this incarnation has passed since its last sign of life. */
  record Expire(long incarnation) implements LeaseCommand {}

  /** One result for each kind of command; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R grant(Grant grant);

    R revoke(Revoke revoke);

    R expire(Expire expire);
  }

  /** Answers with the case of this command's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Grant grant) {
      return cases.grant(grant);
    } else if (this instanceof Revoke revoke) {
      return cases.revoke(revoke);
    } else if (this instanceof Expire expire) {
      return cases.expire(expire);
    }
    throw new AssertionError(this);
  }
}
