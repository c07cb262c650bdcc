package io.holdfast.coordination;

/**
 * The ids of a cluster and of this node in it. The cluster's follows from its founding; the node's
 * is a random number, made with its data directory. Both are positive.
 */
public record NodeIdentity(long clusterId, long memberId) {

  public NodeIdentity {
    if (clusterId <= 0 || memberId <= 0) {
      throw new IllegalArgumentException(
          "an id is not positive: cluster [" + clusterId + "], member [" + memberId + "]");
    }
  }
}
