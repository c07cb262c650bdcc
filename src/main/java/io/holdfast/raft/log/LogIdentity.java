package io.holdfast.raft.log;

import io.holdfast.raft.core.MemberId;

/**
 * The cluster, the group and the member that a log belongs to. Every file in the directory states
 * them.
 *
 * @param clusterId the cluster, or 0 while the member belongs to none
 * @param group the Raft group within the cluster
 * @param member the member whose directory it is
 */
public record LogIdentity(long clusterId, int group, MemberId member) {

  LogIdentity in(long formedClusterId) {
    return new LogIdentity(formedClusterId, group, member);
  }

  /** Why files of {@code other} cannot stand beside those of this one; empty if they can. */
  String conflictWith(LogIdentity other) {
    if (!member.equals(other.member)) {
      return "it belongs to member [" + other.member + "], this is [" + member + "]";
    }
    if (group != other.group) {
      return "it belongs to group [" + other.group + "], this is [" + group + "]";
    }
    if (clusterId != 0 && other.clusterId != 0 && clusterId != other.clusterId) {
      return "it belongs to cluster [" + other.clusterId + "], this is [" + clusterId + "]";
    }
    return "";
  }
}
