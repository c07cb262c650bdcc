package io.holdfast.keeper;

import io.holdfast.lock.Waiter;
import java.util.List;
import java.util.function.Consumer;

/** Compares two versions of the queue of one lock. */
final class QueueDiff {

  private QueueDiff() {}

  /**
   * Reports the waiters that have left, and then those that have come. Waiters that stay keep their
   * order, and new ones come behind them, so that binary search finds each that left.
   */
  static void compare(
      List<Waiter> before, List<Waiter> after, Consumer<Waiter> left, Consumer<Waiter> came) {
    int gone = 0;
    int next = firstGone(before, after, 0, gone);
    while (next < before.size()) {
      left.accept(before.get(next));
      gone++;
      next = firstGone(before, after, next + 1, gone);
    }
    for (int i = before.size() - gone; i < after.size(); i++) {
      came.accept(after.get(i));
    }
  }

  /**
   * Returns the first index, from the given one, whose waiter is not found that many places further
   * ahead now.
   */
  private static int firstGone(List<Waiter> before, List<Waiter> after, int from, int ahead) {
    int low = from;
    int high = before.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      int now = middle - ahead;
      if (now < after.size() && before.get(middle).equals(after.get(now))) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
