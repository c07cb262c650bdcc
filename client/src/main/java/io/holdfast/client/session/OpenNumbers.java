package io.holdfast.client.session;

import java.util.TreeMap;

/**
 * The numbers of a session's operations. A number is open until its outcome is known and nothing
 * refers to it any more. The server may forget the numbers below the lowest open one.
 */
final class OpenNumbers {

  private final TreeMap<Long, Integer> open = new TreeMap<>();
  private long next = 1;

  /** Returns a new number. */
  long take() {
    long number = next++;
    keep(number);
    return number;
  }

  /** Adds a reference to a number, which keeps it open. */
  void keep(long number) {
    open.merge(number, 1, Integer::sum);
  }

  /** Removes a reference to a number. */
  void finish(long number) {
    open.compute(number, (n, reasons) -> reasons == null || reasons == 1 ? null : reasons - 1);
  }

  long lowest() {
    return open.isEmpty() ? next : open.firstKey();
  }
}
