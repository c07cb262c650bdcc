package io.holdfast.simulation.cluster;

import io.holdfast.id.ShardId;
import io.holdfast.sharding.SimulatedRequests;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A process that is a member of Akka's cluster, a node's or a service's: it sends and is sent
 * messages, and asks for locks.
 */
interface AkkaMember extends SimulatedRequests.Node {

  /** The address of its actors. */
  String address();

  /** True if nothing comes from it to the other one now. */
  boolean isCutFrom(AkkaMember other);

  boolean isRunning();

  /** Since when it runs without a pause, or the end of time while it does not run. */
  default long runsSinceUs() {
    return isRunning() ? 0 : Long.MAX_VALUE;
  }

  ClusterLocks locks();

  SplittableRandom chance();

  /** The time to wait for an answer, beyond the wait in the queue. */
  Duration answerWithin();

  /** Has somebody in this process told of shards that come to other owners. */
  void tellMoves(Consumer<ShardId> listener);
}
