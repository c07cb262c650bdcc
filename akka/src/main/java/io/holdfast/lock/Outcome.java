package io.holdfast.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a command, for its sender. */
public sealed interface Outcome {

  /**
   * The request was granted.
   *
   * @param count the number of releases that end it; 0 if it has ended since
   */
  record Acquired(FencingToken token, Lifetime life, int count, Manner manner) implements Outcome {

    public static Acquired of(Holder holder, Manner manner) {
      return new Acquired(holder.token(), holder.life(), holder.count(), manner);
    }

    public boolean isHeld() {
      return count > 0;
    }
  }

  /** The way in which a request was granted. */
  enum Manner {
    /** It was granted at once. */
    AT_ONCE,
    /** It waited in the queue before it was granted. */
    AFTER_WAITING,
    /** It was granted before, and this repeats it. */
    REPEATED
  }

  /** The request waits; the final outcome comes later. The first in the queue has position 1. */
  record Waiting(RequestId request, int position) implements Outcome {}

  /**
   * The grant with this token ended, or was released once.
   *
   * @param count the number of releases that are still needed
   * @param repeated true if the request had this effect before
   */
  record Released(FencingToken token, int count, boolean repeated) implements Outcome {}

  /** The request left the queue, as commanded. */
  record Withdrawn(RequestId request) implements Outcome {}

  /**
   * The request neither waits nor holds, and never will.
   *
   * @param dropped true if it waited until now
   * @param released the token that it held until now; null if it held none
   */
  record Cancelled(boolean dropped, @Nullable FencingToken released) implements Outcome {}

  /** These grants were ended by force; none if the lock was free. */
  record Forced(List<FencingToken> tokens, boolean repeated) implements Outcome {
    public Forced {
      tokens = List.copyOf(tokens);
    }
  }

  /** No holder or waiter depends on an ended lease any more. */
  record OrphansRemoved() implements Outcome {}

  /** The command was refused and changed nothing. */
  record Refused(Refusal refusal) implements Outcome {}

  /** One result for each kind of outcome; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R acquired(Acquired acquired);

    R waiting(Waiting waiting);

    R released(Released released);

    R withdrawn(Withdrawn withdrawn);

    R cancelled(Cancelled cancelled);

    R forced(Forced forced);

    R orphansRemoved(OrphansRemoved removed);

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
    } else if (this instanceof OrphansRemoved removed) {
      return cases.orphansRemoved(removed);
    } else if (this instanceof Refused refused) {
      return cases.refused(refused);
    }
    throw new AssertionError(this);
  }
}
