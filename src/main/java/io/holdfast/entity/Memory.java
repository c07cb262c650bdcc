package io.holdfast.entity;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long the outcomes of one shard's requests without a session are kept: a little longer than
 * their clients may ask again. By a clock that is given; used by one thread at a time.
 */
final class Memory {

  /** A client may ask again for 118 s, and is promised 120. */
  static final Duration KEPT_FOR = Duration.ofSeconds(150);

  /** How often it is noted how far the shard has come. */
  static final Duration NOTED_EVERY = Duration.ofSeconds(5);

  private record Mark(long atNanos, long order) {}

  private final Deque<Mark> marks = new ArrayDeque<>();
  private long forgetBefore;

  /**
   * The last outcome so far is the one at this place.
   *
   * @param order its place among all of the shard
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

  /** Outcomes before this place are needed no more; 0 if that is not known of any. */
  long forgetBefore() {
    return forgetBefore;
  }
}
