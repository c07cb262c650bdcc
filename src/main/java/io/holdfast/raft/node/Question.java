package io.holdfast.raft.node;

import io.holdfast.raft.core.MemberId;

/**
 * A question of a member without a cluster to another member.
 *
 * @param member who asks
 * @param address its own address
 * @param join whether it wants to be taken into the cluster that the other belongs to
 */
record Question(MemberId member, String address, boolean join) {}
