package holdfast.coordination;

import holdfast.lock.FencingToken;

/** Gives out fencing tokens, each greater than all before it. Safe for use by many threads. */
public interface TokenSource {

  /** Returns the next token. A token that is not used is never given out again. */
  FencingToken next();
}
