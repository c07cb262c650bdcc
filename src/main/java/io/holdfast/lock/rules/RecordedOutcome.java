package io.holdfast.lock.rules;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The final outcome of a request, kept to deduplicate its copies. */
public sealed interface RecordedOutcome {

  /** Returns the content of the request; see {@link RequestHeader}. */
  long content();

  /** It was granted this token. */
  record Granted(long content, FencingToken token, Lifetime life) implements RecordedOutcome {}

  /** It left the queue without the lock, or was cancelled before it came. */
  record NotGranted(long content, LockCommand.LeaveCause cause, int position)
      implements RecordedOutcome {}

  /** It released, and this many releases were still needed. */
  record Released(long content, FencingToken token, int count) implements RecordedOutcome {}

  /** It ended these grants by force. */
  record Forced(long content, List<FencingToken> tokens) implements RecordedOutcome {
    public Forced {
      tokens = List.copyOf(tokens);
    }
  }

  /** Returns the token that it released; null if it is no release. */
  default @Nullable FencingToken released() {
    return this instanceof Released released ? released.token() : null;
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
