package io.holdfast.journal.state;

/** What the rest of the log has decided so far, and the journal heeds. */
@FunctionalInterface
public interface Fences {

  /** The shard's current epoch, which only its owner may write under; 0 if it never had one. */
  long epochOf(int shard);

  /**
   * How large all that is kept may become, as {@link Footprint#size} counts it. From there on, what
   * needs more room is refused.
   */
  default long maxSize() {
    return Long.MAX_VALUE;
  }
}
