package io.holdfast.bench.cluster;

import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/** A choice of the node that is killed or frozen. */
enum Victim {
  /** The log's leader. */
  LEADER,
  /** The one that Akka's singletons run on. */
  OLDEST,
  /** One that is neither. */
  NEITHER;

  static Victim named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  int of(Cluster cluster) {
    int leader = cluster.leader();
    int oldest = cluster.oldest();
    return switch (this) {
      case LEADER -> leader;
      case OLDEST -> oldest;
      case NEITHER -> cluster.others(new TreeSet<>(List.of(leader, oldest))).get(0);
    };
  }

  /** The roles of a node, in words. */
  static String describe(Cluster cluster, int node) {
    boolean leads = cluster.leader() == node;
    boolean oldest = cluster.oldest() == node;
    return leads && oldest ? "leader and oldest" : leads ? "leader" : oldest ? "oldest" : "neither";
  }
}
