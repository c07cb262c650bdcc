package io.holdfast.raft.core;

import java.util.List;

/**
 * The founding of a cluster: the content of entry 1 of every log, equal on all initial members.
 *
 * @param clusterId the random number by which members refuse those of other clusters
 * @param shards the number of the cluster's shards, for ever
 * @param settingsHash a hash over the settings that all members must share
 * @param members the initial members
 */
public record Formation(long clusterId, int shards, long settingsHash, List<Member> members) {

  public Formation {
    members = Configuration.of(members).members();
    if (members.isEmpty()) {
      throw new IllegalArgumentException("a formation needs members");
    }
    if (shards < 0) {
      throw new IllegalArgumentException("shard count [" + shards + "] is negative");
    }
  }

  public Configuration configuration() {
    return Configuration.of(members);
  }
}
