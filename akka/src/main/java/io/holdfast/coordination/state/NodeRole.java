package io.holdfast.coordination.state;

import java.util.EnumSet;
import java.util.Set;

/** A role of a node in the cluster. */
public enum NodeRole {
  /** Votes in Raft, and keeps its log and its state. */
  VOTER(1),
  /** Keeps log and state of Raft, without a vote. */
  LEARNER(2),
  /** Votes in Raft and keeps its log; applies nothing. */
  WITNESS(4),
  /** Runs shards. */
  SHARD_HOST(8);

  private final int bit;

  NodeRole(int bit) {
    this.bit = bit;
  }

  /** True if one of these roles has a vote. */
  static boolean votes(Set<NodeRole> roles) {
    return roles.contains(VOTER) || roles.contains(WITNESS);
  }

  /** The roles as bits, for ever. */
  public static byte bits(Set<NodeRole> roles) {
    return (byte) roles.stream().mapToInt(role -> role.bit).sum();
  }

  /** The roles of these bits; refuses unknown ones. */
  public static Set<NodeRole> ofBits(byte bits) {
    Set<NodeRole> roles = EnumSet.noneOf(NodeRole.class);
    for (NodeRole role : values()) {
      if ((bits & role.bit) != 0) {
        roles.add(role);
      }
    }
    if (bits(roles) != bits) {
      throw new IllegalArgumentException("roles [" + bits + "] are unknown");
    }
    return roles;
  }
}
