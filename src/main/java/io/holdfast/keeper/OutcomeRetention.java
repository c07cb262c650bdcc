package io.holdfast.keeper;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The retention of recorded outcomes, for the requests of one shard without a session: a little
 * longer than their clients may retry. Times are arguments; used by one thread at a time.
 */
final class OutcomeRetention {

  /** The time that outcomes are kept. A client may retry for 118 s, and is promised 120. */
  static final Duration KEPT_FOR = Duration.ofSeconds(150);

  /** The pause between two notes of the position. */
  static final Duration NOTED_EVERY = Duration.ofSeconds(5);

  private record Mark(long atNanos, long order) {}

  private final Deque<Mark> marks = new ArrayDeque<>();
  private long forgetBefore;

  /**
   * Notes the last recorded outcome so far.
   *
   * @param order its position among all outcomes of the shard
   */
  void note(long nowNanos, long order) {
    Mark last = marks.peekLast();
    if (last == null || nowNanos - last.atNanos >= NOTED_EVERY.toNanos()) {
      marks.add(new Mark(nowNanos, order));
    }
    Mark first = marks.peekFirst();
    while (first != null && nowNanos - first.atNanos >= KEPT_FOR.toNanos()) {
      forgetBefore = first.order + 1;
      marks.removeFirst();
      first = marks.peekFirst();
    }
  }

  /** Returns the position before which outcomes have expired; 0 if none has. */
  long forgetBefore() {
    return forgetBefore;
  }
}
