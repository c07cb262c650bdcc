package io.holdfast.simulation.cluster;

import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * I2, as those feel it who use a lock: no write of a former holder is accepted after one of a later
 * holder. Who came later is read from the log and not from the tokens.
 */
final class FencedWrites implements ClusterInvariant {

  private record Accepted(long token, long order) {}

  private final LockBook book;
  private final Map<String, Accepted> newest = new HashMap<>();

  FencedWrites(LockBook book) {
    this.book = book;
  }

  @Override
  public void wrote(String key, long token, boolean isAccepted) {
    long order = book.grant(token).map(LockBook.Grant::order).orElse(0L);
    Accepted before = newest.getOrDefault(key, new Accepted(0, 0));
    if (isAccepted && order < before.order) {
      throw new Violation(
          "I2 FencedWrites", key + " is written under " + token + " after " + before);
    } else if (!isAccepted && order >= before.order) {
      throw new Violation(
          "I2 FencedWrites", "no write under " + token + " to " + key + " after " + before);
    } else if (isAccepted) {
      newest.put(key, new Accepted(token, order));
    }
  }
}
