package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command to one lock. */
public sealed interface LockCommand {

  /**
   * Acquires the lock, waiting in the queue for at most the timeout.
   *
   * @param reenter true if an acquire of the current holder adds one to its count of releases
   * @param repeated true if it was sent before. Then any outcome of it is recorded, and every other
   *     copy gets the same, however late
   */
  record Acquire(
      RequestHeader request,
      HolderId holder,
      Lifetime life,
      WaitTimeout waitTimeout,
      boolean reenter,
      Metadata metadata,
      boolean repeated)
      implements LockCommand {

    /** Creates a command that is sent for the first time. */
    public Acquire(
        RequestHeader request,
        HolderId holder,
        Lifetime life,
        WaitTimeout waitTimeout,
        boolean reenter,
        Metadata metadata) {
      this(request, holder, life, waitTimeout, reenter, metadata, /* repeated= */ false);
    }

    /** Returns the copy to send so many milliseconds later, with the rest of its timeout. */
    public Acquire after(long millis) {
      WaitTimeout left =
          waitTimeout.waits()
              ? new WaitTimeout(Math.max(1, waitTimeout.millis() - millis))
              : waitTimeout;
      return new Acquire(request, holder, life, left, reenter, metadata, /* repeated= */ true);
    }

    /** Returns the copy to send after its timeout. */
    public Acquire afterWaiting() {
      return new Acquire(
          request, holder, life, WaitTimeout.NONE, reenter, metadata, /* repeated= */ true);
    }
  }

  /**
   * Releases the grant with this token.
   *
   * @param all true to end it whatever its count; else it takes one from the count
   */
  record Release(RequestHeader request, FencingToken token, boolean all) implements LockCommand {}

  /** Ends the grant with this token, since its ttl has passed without a keepalive. */
  record Expire(FencingToken token) implements LockCommand {}

  /**
   * Records the part of this grant's own ttl that has passed since its last keepalive, for the next
   * owner of its shard.
   */
  record Age(FencingToken token, Duration aged) implements LockCommand {}

  /** Removes the request from the queue. */
  record Leave(RequestId request, LeaveCause cause) implements LockCommand {}

  /** Cancels this request for good, whether it waits, holds, or has not arrived yet. */
  record Cancel(RequestId request) implements LockCommand {}

  /**
   * Takes the lock from its holder.
   *
   * @param token the grant to end; null for the current one
   * @param reason the reason, which everyone can read
   */
  record Force(RequestHeader request, @Nullable FencingToken token, String reason)
      implements LockCommand {

    public static final int MAX_REASON_BYTES = 512;

    public Force {
      Text.require("force_reason", reason, MAX_REASON_BYTES);
    }

    public Optional<FencingToken> onlyToken() {
      return Optional.ofNullable(token);
    }
  }

  /** Removes all holders and waiters whose lease has ended. */
  record RemoveOrphans() implements LockCommand {}

  /** The cause of a waiter leaving the queue without the lock. */
  enum LeaveCause {
    /** Its timeout passed. */
    TIMED_OUT,
    /** Its client withdrew it. */
    CANCELLED,
    /** It was refused, and never waited. */
    REFUSED,
    /** Its own ttl passed without a keepalive, or its lease ended. */
    LEASE_ENDED
  }

  /**
   * Returns the request id of the command; empty if it comes from the lock's own node, or is about
   * another request.
   */
  default Optional<RequestId> id() {
    return match(
        new Cases<>() {
          @Override
          public Optional<RequestId> acquire(Acquire acquire) {
            return Optional.of(acquire.request().id());
          }

          @Override
          public Optional<RequestId> release(Release release) {
            return Optional.of(release.request().id());
          }

          @Override
          public Optional<RequestId> expire(Expire expire) {
            return Optional.empty();
          }

          @Override
          public Optional<RequestId> age(Age age) {
            return Optional.empty();
          }

          @Override
          public Optional<RequestId> leave(Leave leave) {
            return Optional.empty();
          }

          @Override
          public Optional<RequestId> cancel(Cancel cancel) {
            return Optional.of(cancel.request());
          }

          @Override
          public Optional<RequestId> force(Force force) {
            return Optional.of(force.request().id());
          }

          @Override
          public Optional<RequestId> removeOrphans(RemoveOrphans remove) {
            return Optional.empty();
          }
        });
  }

  /** One result for each kind of command; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R acquire(Acquire acquire);

    R release(Release release);

    R expire(Expire expire);

    R age(Age age);

    R leave(Leave leave);

    R cancel(Cancel cancel);

    R force(Force force);

    R removeOrphans(RemoveOrphans remove);
  }

  /** Answers with the case of this command's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Acquire acquire) {
      return cases.acquire(acquire);
    } else if (this instanceof Release release) {
      return cases.release(release);
    } else if (this instanceof Expire expire) {
      return cases.expire(expire);
    } else if (this instanceof Age age) {
      return cases.age(age);
    } else if (this instanceof Leave leave) {
      return cases.leave(leave);
    } else if (this instanceof Cancel cancel) {
      return cases.cancel(cancel);
    } else if (this instanceof Force force) {
      return cases.force(force);
    } else if (this instanceof RemoveOrphans remove) {
      return cases.removeOrphans(remove);
    }
    throw new AssertionError(this);
  }
}
