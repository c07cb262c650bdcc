package io.holdfast.simulation.cluster;

import io.holdfast.simulation.journal.NodeProcess;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * The trouble of a service with its links to the nodes: it is cut off from all, or from the one by
 * which it follows the log, in one direction or both.
 */
final class Trials {

  private static final int MEAN_GAP_US = 700_000;
  private static final int CUT_US = 1_500_000;

  private final ClusterLocks locks;
  private final BooleanSupplier lives;
  private final SplittableRandom chance;
  private final Set<String> deafTo = new HashSet<>();
  private final Set<String> unheardBy = new HashSet<>();
  private String followsBy = "";

  Trials(ClusterLocks locks, BooleanSupplier lives, SplittableRandom chance) {
    this.locks = locks;
    this.lives = lives;
    this.chance = chance;
  }

  void begin() {
    locks
        .world()
        .scheduler()
        .after(chance.nextInt(2 * MEAN_GAP_US), "trouble of a service", this::strike);
  }

  /** The node by which the service follows the log now. */
  void followsBy(String node) {
    followsBy = node;
  }

  boolean isDeafTo(String node) {
    return !locks.world().isCalm() && deafTo.contains(node);
  }

  boolean isUnheardBy(String node) {
    return !locks.world().isCalm() && unheardBy.contains(node);
  }

  private void strike() {
    if (!lives.getAsBoolean() || locks.world().isCalm()) {
      return;
    }
    int dice = chance.nextInt(10);
    if (dice < 2) {
      cut(locks.members().stream().map(NodeProcess::addressOf).toList());
    } else if (dice < 5) {
      cut(List.of(followsBy));
    }
    begin();
  }

  private void cut(List<String> nodes) {
    locks.count("service member is cut off");
    int dice = chance.nextInt(4);
    if (dice != 0) {
      deafTo.addAll(nodes);
    }
    if (dice != 1) {
      unheardBy.addAll(nodes);
    }
    locks.world().scheduler().after(chance.nextInt(CUT_US), "links of a service", this::mend);
  }

  private void mend() {
    deafTo.clear();
    unheardBy.clear();
  }
}
