package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;

/**
 * The first message of the dialing end.
 *
 * @param asks true if one question follows, instead of messages
 * @param cluster the cluster the dialer belongs to, or 0
 * @param wanted the id of the member it means to reach; 0 if it asks whoever is there
 */
record Hello(
    boolean asks,
    long cluster,
    int group,
    MemberId from,
    long incarnation,
    long wanted,
    String address) {}
