package io.holdfast.raft.core;

import java.util.List;

/**
 * Bounds on the terms and places of the log that another member may speak of.
 *
 * <p>A term is never taken back: a single message with the greatest number would end all elections
 * for ever. So no term is believed that is {@code 2^32} elections, and one more a millisecond of
 * this process, beyond the one at its start. Elections take longer than that: an honest member is
 * within the bound, however long this one was away, unless the others elected without a pause for
 * decades. And as the bound does not move with what was believed, nobody reaches the greatest
 * number step by step either: each {@code 2^32} need another start of this process.
 *
 * <p>Places have such a bound, too. The terms within a message are those of entries: none is beyond
 * the term of its sender.
 */
final class Plausibility {

  private static final long TERMS_AHEAD = 1L << 32;
  private static final long ENTRIES_AHEAD = 1L << 48;
  private static final long ENTRIES_A_MILLISECOND = 1L << 12;

  private final long termAtStart;
  private final long indexAtStart;
  private final long startMs;

  Plausibility(long termAtStart, long indexAtStart, long startMs) {
    this.termAtStart = termAtStart;
    this.indexAtStart = indexAtStart;
    this.startMs = startMs;
  }

  /** True if no honest member can have sent it. */
  boolean isImplausible(Message message, long nowMs) {
    long aliveMs = Math.max(0, nowMs - startMs);
    long maxTerm = termAtStart + TERMS_AHEAD + aliveMs;
    long maxIndex = indexAtStart + ENTRIES_AHEAD + aliveMs * ENTRIES_A_MILLISECOND;
    return message.term() < 0
        || message.term() > maxTerm
        || message.latestEntryTerm() > message.term()
        || message.latestEntryTerm() < 0
        || message.farthestIndex() > maxIndex
        || (message instanceof Message.AppendRequest append
            && areOutOfOrder(append.previousTerm(), append.entries()));
  }

  private static boolean areOutOfOrder(long previousTerm, List<Entry> entries) {
    long last = previousTerm;
    for (Entry entry : entries) {
      if (entry.term() < last) {
        return true;
      }
      last = entry.term();
    }
    return false;
  }
}
