package holdfast.lock;

/** What can be asked of one lock. */
public sealed interface LockCommand {

  /** Hold the lock, waiting in line if the patience allows it. */
  record Acquire(RequestId request, HolderId holder, Ttl ttl, Patience patience)
      implements LockCommand {}

  /** End the grant of this token. */
  record Release(FencingToken token) implements LockCommand {}

  /** End the grant of this token: its ttl has passed since the last sign of life. */
  record Expire(FencingToken token) implements LockCommand {}

  /** Take the request out of the line. */
  record Leave(RequestId request, LeaveCause cause) implements LockCommand {}

  /** Why a waiter leaves the line without the lock. */
  enum LeaveCause {
    /** Its patience ended. */
    TIMED_OUT,
    /** Its client withdrew it. */
    CANCELLED
  }

  /** One result for each kind of command; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R acquire(Acquire acquire);

    R release(Release release);

    R expire(Expire expire);

    R leave(Leave leave);
  }

  /** Answers with the case of this command's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Acquire acquire) {
      return cases.acquire(acquire);
    } else if (this instanceof Release release) {
      return cases.release(release);
    } else if (this instanceof Expire expire) {
      return cases.expire(expire);
    } else if (this instanceof Leave leave) {
      return cases.leave(leave);
    }
    throw new AssertionError(this);
  }
}
