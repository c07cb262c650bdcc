package io.holdfast.raft.node;

import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.MemberId;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the {@link Question} of a member without a cluster.
 *
 * @param member the member that answers
 * @param address its own address, as it is configured
 * @param readyFor the cluster that it is ready to found; 0 while it has not heard from everyone
 * @param formation the founding of the cluster that it belongs to, durably; null if to none
 * @param configuration the members of that cluster now
 * @param admission the answer to the request to join
 * @param leader the address of the leader, to ask next; empty if unknown
 */
record Statement(
    MemberId member,
    String address,
    long readyFor,
    @Nullable Formation formation,
    Configuration configuration,
    Admission admission,
    String leader) {

  /** The answer to a member that wants to join a cluster that exists. */
  enum Admission {
    /** It did not ask, or there is no cluster yet. */
    NONE,
    /** It belongs to the cluster, or soon will. */
    ADMITTED,
    /** Not now, or not here: ask again. */
    LATER,
    /** No member of the cluster has its address. */
    UNKNOWN_ADDRESS
  }
}
