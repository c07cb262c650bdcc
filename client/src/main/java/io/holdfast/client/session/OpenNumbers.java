package io.holdfast.client.session;

import java.util.TreeMap;

/**
 * The numbers of a session's operations. One is open until its outcome is known and nothing refers
 * to it any more; what is below the lowest open one the server may forget.
 */
final class OpenNumbers {

  private final TreeMap<Long, Integer> open = new TreeMap<>();
  private long next = 1;

  /** A number that was never used. */
  long take() {
    long number = next++;
    keep(number);
    return number;
  }

  /** Keeps a number open for one more reason. */
  void keep(long number) {
    open.merge(number, 1, Integer::sum);
  }

  /** One reason less to keep it open. */
  void finish(long number) {
    open.compute(number, (n, reasons) -> reasons == null || reasons == 1 ? null : reasons - 1);
  }

  long lowest() {
    return open.isEmpty() ? next : open.firstKey();
  }
}
