package io.holdfast.coordination;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * The requests of an operator to the cluster, by way of this node. A stage fails with {@link
 * AdminRefused} if nothing was changed, and with another exception if that is unknown.
 */
public interface Administration {

  /** The kinds of members of the log's group. */
  enum MemberKind {
    VOTER,
    LEARNER,
    WITNESS
  }

  /**
   * A node's own lease, as the log has it.
   *
   * @param node its node: a member, or one that only takes part
   * @param isJoined true if the node is in the cluster
   * @param shards the number of shards that it owns
   * @param unreachable the number of others that it cannot reach, by its own report
   */
  record NodeLease(
      long node,
      long session,
      long incarnation,
      int ttlMs,
      boolean isJoined,
      String akkaAddress,
      String endpoint,
      int shards,
      int unreachable) {}

  /**
   * A member of the cluster.
   *
   * @param address the address at which the other members' logs reach it
   * @param lease empty if its node is not there
   * @param match the last entry that its disk is known to have; empty if this node does not know
   */
  record MemberView(
      long id,
      MemberKind kind,
      String address,
      boolean leads,
      Optional<NodeLease> lease,
      OptionalLong match) {}

  /**
   * The cluster as this node knows it.
   *
   * @param leader the leader; 0 if none is known
   * @param members by id
   * @param others sessions of nodes that are no members
   * @param troubles of this node's own log, a phrase each
   */
  record ClusterView(
      long leader,
      long commit,
      long applied,
      long last,
      int shards,
      int ownedShards,
      int generation,
      List<MemberView> members,
      List<NodeLease> others,
      List<String> troubles) {

    public ClusterView {
      members = List.copyOf(members);
      others = List.copyOf(others);
      troubles = List.copyOf(troubles);
    }
  }

  /**
   * The result of a change of the members.
   *
   * @param member the member that was changed
   * @param changed false if it was so already
   */
  record Change(long member, boolean changed) {}

  /** The cluster as this node knows it now. */
  CompletionStage<ClusterView> view();

  /** Adds a seat for a node that is to come to this address. */
  CompletionStage<Change> add(String address);

  /** Gives a learner a vote. */
  CompletionStage<Change> promote(long member);

  /** Takes a member out. */
  CompletionStage<Change> remove(long member);

  /** Has another voter lead; any that lives if the number is 0. */
  CompletionStage<Change> transfer(long member);
}
