package io.holdfast.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a command came to, for the one who asked. */
public sealed interface Outcome {

  /**
   * The request was granted.
   *
   * @param count how many releases end it; 0 if it has ended since
   */
  record Acquired(FencingToken token, Life life, int count, Manner manner) implements Outcome {

    static Acquired of(Holder holder, Manner manner) {
      return new Acquired(holder.token(), holder.life(), holder.count(), manner);
    }

    public boolean isHeld() {
      return count > 0;
    }
  }

  /** How a request came to hold its lock. */
  enum Manner {
    /** It was granted when it came. */
    AT_ONCE,
    /** It waited in line before it was granted. */
    AFTER_WAITING,
    /** It had been granted before, and this only says so again. */
    REPEATED
  }

  /** The request waits; the outcome comes later. The first in line has position 1. */
  record Waiting(RequestId request, int position) implements Outcome {}

  /**
   * The grant of this token ended, or was released once.
   *
   * @param count how many releases are needed more
   * @param repeated whether the request had done so before
   */
  record Released(FencingToken token, int count, boolean repeated) implements Outcome {}

  /** The request left the line, as the lock was told. */
  record Withdrawn(RequestId request) implements Outcome {}

  /**
   * The request neither waits nor holds, and never will.
   *
   * @param dropped whether it waited until now
   * @param released the token that it held until now, if it did
   */
  record Cancelled(boolean dropped, @Nullable FencingToken released) implements Outcome {}

  /** These grants were taken away; none if the lock was free. */
  record Forced(List<FencingToken> tokens, boolean repeated) implements Outcome {
    public Forced {
      tokens = List.copyOf(tokens);
    }
  }

  /** Nothing hangs on a lease that has ended. */
  record Swept() implements Outcome {}

  /** Nothing changed. */
  record Refused(Refusal refusal) implements Outcome {}

  /** One result for each kind of outcome; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R acquired(Acquired acquired);

    R waiting(Waiting waiting);

    R released(Released released);

    R withdrawn(Withdrawn withdrawn);

    R cancelled(Cancelled cancelled);

    R forced(Forced forced);

    R swept(Swept swept);

    R refused(Refused refused);
  }

  /** Answers with the case of this outcome's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Acquired acquired) {
      return cases.acquired(acquired);
    } else if (this instanceof Waiting waiting) {
      return cases.waiting(waiting);
    } else if (this instanceof Released released) {
      return cases.released(released);
    } else if (this instanceof Withdrawn withdrawn) {
      return cases.withdrawn(withdrawn);
    } else if (this instanceof Cancelled cancelled) {
      return cases.cancelled(cancelled);
    } else if (this instanceof Forced forced) {
      return cases.forced(forced);
    } else if (this instanceof Swept swept) {
      return cases.swept(swept);
    } else if (this instanceof Refused refused) {
      return cases.refused(refused);
    }
    throw new AssertionError(this);
  }
}
