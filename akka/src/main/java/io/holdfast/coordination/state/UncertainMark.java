package io.holdfast.coordination.state;

/**
 * The mark of a shard whose owner was ended before its own time was over: it may still acknowledge
 * keepalives that nobody else hears of.
 *
 * @param id the number of the mark; a later one is greater
 * @param ttlMs the longest time for which the ended session may have gone on: a recovery adds it to
 *     every deadline
 */
public record UncertainMark(long id, int ttlMs) {

  /** The mark of a shard that is certain. */
  static final UncertainMark NONE = new UncertainMark(0, 0);
}
