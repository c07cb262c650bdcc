package io.holdfast.simulation.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * The store behind the locks, by the rule that every such store must keep: of each key it remembers
 * the largest fencing token that it has seen, refuses a smaller one, and takes an equal one.
 */
final class ProtectedStore {

  private final Map<String, Long> largest = new HashMap<>();

  /** A write of a holder arrives; says whether it was accepted. */
  boolean write(String key, long token) {
    if (token < largest.getOrDefault(key, 0L)) {
      return false;
    }
    largest.put(key, token);
    return true;
  }
}
