package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be asked of one lock. */
public sealed interface LockCommand {

  /**
   * Hold the lock, waiting in line if the patience allows it.
   *
   * @param reenter whether a holder that asks again has to release once more
   * @param repeated whether it was sent before. Then its outcome is kept, whatever it is: no other
   *     copy of it, however late, has another one
   */
  record Acquire(
      Request request,
      HolderId holder,
      Life life,
      Patience patience,
      boolean reenter,
      Metadata metadata,
      boolean repeated)
      implements LockCommand {

    /** One that is sent for the first time. */
    public Acquire(
        Request request,
        HolderId holder,
        Life life,
        Patience patience,
        boolean reenter,
        Metadata metadata) {
      this(request, holder, life, patience, reenter, metadata, /* repeated= */ false);
    }

    /** The same, sent again so many milliseconds later: what is left of its patience, if any. */
    public Acquire after(long millis) {
      Patience left =
          patience.waits() ? new Patience(Math.max(1, patience.millis() - millis)) : patience;
      return new Acquire(request, holder, life, left, reenter, metadata, /* repeated= */ true);
    }

    /** The same, sent again when it has waited for as long as it would. */
    public Acquire afterWaiting() {
      return new Acquire(
          request, holder, life, Patience.NONE, reenter, metadata, /* repeated= */ true);
    }
  }

  /**
   * End the grant of this token.
   *
   * @param all whatever its count; else it takes one from the count
   */
  record Release(Request request, FencingToken token, boolean all) implements LockCommand {}

  /** End the grant of this token: its ttl has passed since the last sign of life. */
  record Expire(FencingToken token) implements LockCommand {}

  /**
   * Keep that so much of this grant's own ttl has passed since the last sign of life: the next
   * owner of its shard begins with that.
   */
  record Age(FencingToken token, Duration aged) implements LockCommand {}

  /** Take the request out of the line. */
  record Leave(RequestId request, LeaveCause cause) implements LockCommand {}

  /** End this request for good: whether it waits, holds, or has not come yet. */
  record Cancel(RequestId request) implements LockCommand {}

  /**
   * Take the lock from its holder.
   *
   * @param token the only one to take it from; null for whoever holds it
   * @param reason for everyone to read
   */
  record Force(Request request, @Nullable FencingToken token, String reason)
      implements LockCommand {

    public static final int MAX_REASON_BYTES = 512;

    public Force {
      Text.require("force_reason", reason, MAX_REASON_BYTES);
    }

    Optional<FencingToken> only() {
      return Optional.ofNullable(token);
    }
  }

  /** A lease has ended: let go of all that hung on one. */
  record Sweep() implements LockCommand {}

  /** Why a waiter leaves the line without the lock. */
  enum LeaveCause {
    /** Its patience ended. */
    TIMED_OUT,
    /** Its client withdrew it. */
    CANCELLED,
    /** It was refused, and never waited. */
    REFUSED,
    /** Its own ttl passed without a sign of life, or its lease ended. */
    LEASE_ENDED
  }

  /** The request that it is; empty if it comes from the lock's own node, or is about another. */
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
          public Optional<RequestId> sweep(Sweep sweep) {
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

    R sweep(Sweep sweep);
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
    } else if (this instanceof Sweep sweep) {
      return cases.sweep(sweep);
    }
    throw new AssertionError(this);
  }
}
