package io.holdfast.journal.state;

/**
 * The decisions of the rest of the log that the journal obeys: the epochs of shards and the bound
 * on its size.
 */
@FunctionalInterface
public interface Fences {

  /** The shard's current epoch, under which only its owner may write; 0 if it never had one. */
  long epochOf(int shard);

  /**
   * The bound on {@link Footprint#size}. From this size on, the journal refuses appends that need
   * more room.
   */
  default long maxSize() {
    return Long.MAX_VALUE;
  }
}
