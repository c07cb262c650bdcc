package io.holdfast.simulation.journal;

import io.holdfast.coordination.OwnedShard;
import java.util.Map;
import java.util.TreeMap;

/** A shard that a node owns: the ownership, and the deadlines of all grants. */
public final class Holding {

  /**
   * The end of a grant, by the node's clock.
   *
   * @param isEnding true if its end is on the way: it is not moved any more
   */
  record Deadline(long token, int ttlMs, long atMs, boolean isEnding) {

    Deadline(long token, int ttlMs, long atMs) {
      this(token, ttlMs, atMs, false);
    }

    Deadline movedTo(long laterMs) {
      return new Deadline(token, ttlMs, Math.max(atMs, laterMs), isEnding);
    }

    Deadline ending() {
      return new Deadline(token, ttlMs, atMs, true);
    }
  }

  private final Ownership ownership;
  private final OwnedShard owned;
  private final Map<String, Deadline> deadlines = new TreeMap<>();
  private boolean recovered;
  private boolean served;

  Holding(OwnedShard owned) {
    this.owned = owned;
    ownership = Ownership.of(owned);
  }

  public Ownership ownership() {
    return ownership;
  }

  /** As the actors that are made under it have it. */
  public OwnedShard owned() {
    return owned;
  }

  /** True if the deadlines are there, so that the node may act. */
  public boolean isRecovered() {
    return recovered;
  }

  public void recovered() {
    recovered = true;
  }

  /** True if an append was acknowledged here, or refused for want of room, in a time of calm. */
  boolean served() {
    return served;
  }

  public void serves() {
    served = true;
  }

  Map<String, Deadline> deadlines() {
    return deadlines;
  }
}
