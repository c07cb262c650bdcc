package io.holdfast.raft.node;

import io.holdfast.raft.core.MemberId;

/**
 * A question of a member without a cluster to another member.
 *
 * @param member the member that asks
 * @param address its own address
 * @param join true if it asks to join the cluster of the other
 */
record Question(MemberId member, String address, boolean join) {}
