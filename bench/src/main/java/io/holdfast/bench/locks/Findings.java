package io.holdfast.bench.locks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Collects wrong answers and failed requests, the first few of each. Safe for use by many threads.
 */
final class Findings {

  private static final int KEPT = 10;

  private final List<String> wrong = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final LongAdder failed = new LongAdder();

  /** An answer cannot be true. */
  void wrong(String what) {
    keep(wrong, what);
  }

  /** Something was refused, or got no answer. */
  void failed(String why) {
    failed.increment();
    keep(failures, why);
  }

  private static void keep(List<String> kept, String what) {
    synchronized (kept) {
      if (kept.size() < KEPT) {
        kept.add(what);
      }
    }
  }

  long failures() {
    return failed.sum();
  }

  /** The first few answers that cannot be true. */
  List<String> allWrong() {
    synchronized (wrong) {
      return List.copyOf(wrong);
    }
  }

  /** The first few reasons of failures. */
  List<String> whyFailed() {
    synchronized (failures) {
      return List.copyOf(failures);
    }
  }
}
