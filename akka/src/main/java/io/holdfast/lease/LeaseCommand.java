package io.holdfast.lease;

import io.holdfast.id.Revision;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import java.util.Optional;

/** A command to one shared lease. */
public sealed interface LeaseCommand {

  /** Begin. */
  record Grant(RequestHeader request, LeaseTerms terms) implements LeaseCommand {}

  /**
   * End, with all that hangs on it.
   *
   * @param incarnation the one that is meant; none for whichever is alive
   */
  record Revoke(RequestHeader request, Revision incarnation) implements LeaseCommand {}

  /** End: the ttl of this incarnation has passed since its last keepalive. */
  record Expire(Revision incarnation) implements LeaseCommand {}

  /** The request that it is; empty if it comes from the lease's own node. */
  default Optional<RequestId> id() {
    return match(
        new Cases<>() {
          @Override
          public Optional<RequestId> grant(Grant grant) {
            return Optional.of(grant.request().id());
          }

          @Override
          public Optional<RequestId> revoke(Revoke revoke) {
            return Optional.of(revoke.request().id());
          }

          @Override
          public Optional<RequestId> expire(Expire expire) {
            return Optional.empty();
          }
        });
  }

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
