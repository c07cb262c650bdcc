package io.holdfast.simulation.journal;

import java.util.function.BooleanSupplier;

/** The application in one process of a node, for the shards that it owns. */
public interface Tenant {

  /** The session of the node is open. */
  default void opened() {}

  /** The node owns a shard: the journal tells what was there before, while {@code isStill}. */
  void recover(Holding held, BooleanSupplier isStill);

  /** The node has given a shard back, and what ran there may go on for a while. */
  void outlives(Holding held);

  /** Time passes; {@code isValid} if the node may act. */
  void tick(long nowMs, boolean isValid);
}
