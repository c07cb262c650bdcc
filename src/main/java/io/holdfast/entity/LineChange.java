package io.holdfast.entity;

import io.holdfast.lock.Waiter;
import java.util.List;
import java.util.function.Consumer;

/** The difference of two lines of one lock. */
final class LineChange {

  private LineChange() {}

  /**
   * Tells who is not in the line any more, and then who has come. Those who stay keep their order,
   * and others only come behind them: so each who left is found by halving.
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

  /** The first place, from one on, whose waiter does not stand so many places further ahead now. */
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
