package holdfast.raft.node;

import holdfast.raft.core.Configuration;
import holdfast.raft.core.Formation;
import holdfast.raft.core.MemberId;
import org.jspecify.annotations.Nullable;

/**
 * What a member answers when one without a cluster asks.
 *
 * @param member who answers
 * @param address its own address, as it is configured
 * @param readyFor the cluster that it is ready to found; 0 while it has not heard from everyone
 * @param formation the founding of the cluster that it belongs to, durably; null if to none
 * @param configuration who belongs to that cluster now
 * @param admission what becomes of the wish to join
 * @param leader where to ask next; empty if unknown
 */
record Statement(
    MemberId member,
    String address,
    long readyFor,
    @Nullable Formation formation,
    Configuration configuration,
    Admission admission,
    String leader) {

  /** What becomes of a member that wants to join a cluster that exists. */
  enum Admission {
    /** It did not ask, or there is no cluster yet. */
    NONE,
    /** It belongs to the cluster, or soon will. */
    ADMITTED,
    /** Not now, or not here: ask again. */
    LATER,
    /** No member of the cluster has its address. */
    STRANGER
  }
}
