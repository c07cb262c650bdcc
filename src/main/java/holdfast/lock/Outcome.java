package holdfast.lock;

/** What a command came to, for the one who asked. */
public sealed interface Outcome {

  /** The asker holds the lock. */
  record Acquired(Holder holder, Manner manner) implements Outcome {}

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

  /** The grant of this token ended. */
  record Released(FencingToken token) implements Outcome {}

  /** The request left the line, as it was asked to. */
  record Withdrawn(RequestId request) implements Outcome {}

  /** Nothing changed. */
  record Refused(Refusal refusal) implements Outcome {}

  /** One result for each kind of outcome; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R acquired(Acquired acquired);

    R waiting(Waiting waiting);

    R released(Released released);

    R withdrawn(Withdrawn withdrawn);

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
    } else if (this instanceof Refused refused) {
      return cases.refused(refused);
    }
    throw new AssertionError(this);
  }
}
