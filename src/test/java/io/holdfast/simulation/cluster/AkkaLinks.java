package io.holdfast.simulation.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** The links between the members of Akka's cluster: in order, and lost with the connection. */
final class AkkaLinks {

  private final ClusterLocks locks;
  private final Map<String, Long> arrivals = new HashMap<>();

  AkkaLinks(ClusterLocks locks) {
    this.locks = locks;
  }

  void send(AkkaMember from, AkkaMember to, Object what, Runnable action) {
    if (from == to) {
      to.later(to.delayUs(), what, action);
      return;
    }
    SplittableRandom by = from.chance();
    boolean isCalm = locks.world().isCalm();
    boolean isLost = !isCalm && by.nextInt(100) < 2;
    if (from.isCutFrom(to) || isLost) {
      return;
    }
    boolean isLate = !isCalm && by.nextInt(50) == 0;
    long now = locks.world().nowUs();
    long atUs =
        arrivals.merge(
            from.address() + ">" + to.address(),
            now + 100 + by.nextInt(isLate ? 300_000 : 2_000),
            (last, next) -> Math.max(last + 1, next));
    to.later(atUs - now, what, action);
  }
}
