package io.holdfast.lock;

import java.util.List;

/**
 * What a request came to, for good. It is kept, so that the request has no second effect when it
 * comes again.
 */
public sealed interface Settled {

  /** What the request asked for; see {@link Request}. */
  long content();

  /** It was granted this token. */
  record Granted(long content, FencingToken token, Life life) implements Settled {}

  /** It left the line without the lock, or was cancelled before it came. */
  record NotGranted(long content, LockCommand.LeaveCause cause, int position) implements Settled {}

  /** It released, and so many releases were needed more. */
  record Released(long content, FencingToken token, int count) implements Settled {}

  /** It took these grants away. */
  record Forced(long content, List<FencingToken> tokens) implements Settled {
    public Forced {
      tokens = List.copyOf(tokens);
    }
  }

  /** One result for each kind; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R granted(Granted granted);

    R notGranted(NotGranted notGranted);

    R released(Released released);

    R forced(Forced forced);
  }

  /** Answers with the case of this kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof Granted granted) {
      return cases.granted(granted);
    } else if (this instanceof NotGranted notGranted) {
      return cases.notGranted(notGranted);
    } else if (this instanceof Released released) {
      return cases.released(released);
    } else if (this instanceof Forced forced) {
      return cases.forced(forced);
    }
    throw new AssertionError(this);
  }
}
