package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The expected holder and the last token of each key of this process. No other process uses these
 * keys, so every answer can be checked.
 */
final class Truth {

  private static final int NOBODY = 0;

  private final String[] names;
  private final AtomicLongArray tokens;
  private final AtomicIntegerArray holders;
  private final Findings findings;

  Truth(String beginning, int keys, Findings findings) {
    names = new String[keys];
    for (int key = 0; key < keys; key++) {
      names[key] = beginning + "/" + key;
    }
    tokens = new AtomicLongArray(keys);
    holders = new AtomicIntegerArray(keys);
    this.findings = findings;
  }

  int keys() {
    return names.length;
  }

  String name(int key) {
    return names[key];
  }

  /** A lock was granted to the seat: no other may hold it, and its token must have risen. */
  void granted(int key, int seat, LockResponse answer) {
    granted(key, seat, answer.getFencingToken(), answer.getHeldNow());
  }

  /** As {@link #granted(int, int, LockResponse)}. */
  void granted(int key, int seat, long token, boolean isHeld) {
    if (!isHeld) {
      findings.wrong("[%s] was granted under [%d] and is not held".formatted(names[key], token));
    }
    if (!holders.compareAndSet(key, NOBODY, seat + 1)) {
      findings.wrong(
          "I1: [%s] was granted to [%d] while held by [%d]"
              .formatted(names[key], seat, holders.get(key) - 1));
    }
    long before = tokens.getAndAccumulate(key, token, Math::max);
    if (token <= before) {
      findings.wrong(
          "I2: [%s] was granted under [%d] after [%d]".formatted(names[key], token, before));
    }
  }

  /** The release is about to be asked for: from now on it may have happened. */
  void releases(int key) {
    holders.set(key, NOBODY);
  }
}
