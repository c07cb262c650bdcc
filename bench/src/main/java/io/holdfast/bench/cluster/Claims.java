package io.holdfast.bench.cluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The grants that clients were told of, checked against each other: two clients that surely hold
 * one key break I1, a token that does not rise breaks I2.
 */
final class Claims {

  private record Claim(long token, long sureUntilNanos) {}

  private final Map<String, Claim> claims = new HashMap<>();
  private final Map<String, Long> highest = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private long granted;

  /**
   * A grant was acknowledged.
   *
   * @param askedNanos the time when it was asked for: it is surely held for its ttl from then on
   */
  synchronized void granted(String key, long token, long askedNanos, long ttlMs) {
    granted++;
    Claim other = claims.get(key);
    if (other != null && other.token != token && other.sureUntilNanos - System.nanoTime() > 0) {
      violation(
          "I1: [%s] was granted under [%d] while held under [%d]"
              .formatted(key, token, other.token));
    }
    long before = highest.getOrDefault(key, 0L);
    if (token <= before) {
      violation("I2: [%s] was granted under [%d] after [%d]".formatted(key, token, before));
    }
    highest.put(key, Math.max(before, token));
    claims.put(key, new Claim(token, askedNanos + TimeUnit.MILLISECONDS.toNanos(ttlMs)));
  }

  /** A release is about to be asked for: from now on it may have happened. */
  synchronized void releases(String key) {
    claims.remove(key);
  }

  synchronized void violation(String what) {
    violations.add(what);
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  synchronized long count() {
    return granted;
  }
}
