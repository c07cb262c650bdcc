package holdfast.coordination;

/**
 * Which node this is, and of which cluster: random numbers, made with the data directory and kept
 * in it. Always positive.
 */
public record NodeIdentity(long clusterId, long memberId) {

  public NodeIdentity {
    if (clusterId <= 0 || memberId <= 0) {
      throw new IllegalArgumentException(
          "an id is not positive: cluster [" + clusterId + "], member [" + memberId + "]");
    }
  }
}
