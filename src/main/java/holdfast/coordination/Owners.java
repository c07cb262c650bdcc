package holdfast.coordination;

import java.util.Optional;

/** Which node runs which shard, as far as this node has heard. Safe for use by many threads. */
@FunctionalInterface
public interface Owners {

  /**
   * Who runs a shard.
   *
   * @param member the node's own id
   * @param akkaAddress where its actors are
   * @param epoch of the ownership: of two for one shard the greater is newer
   */
  record Owner(long member, String akkaAddress, long epoch) {}

  /** Who runs the shard; empty if nobody does. */
  Optional<Owner> of(int shard);
}
