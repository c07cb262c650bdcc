package holdfast.coordination;

/**
 * Which node this is, a random number made with its data directory, and of which cluster, a number
 * that follows from the cluster's founding. Always positive.
 */
public record NodeIdentity(long clusterId, long memberId) {

  public NodeIdentity {
    if (clusterId <= 0 || memberId <= 0) {
      throw new IllegalArgumentException(
          "an id is not positive: cluster [" + clusterId + "], member [" + memberId + "]");
    }
  }
}
