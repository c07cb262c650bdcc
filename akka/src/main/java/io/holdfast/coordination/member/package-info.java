/**
 * The part of any member of the cluster in what the nodes agree on: its copy of the state, its
 * session, and the owners of shards. Nodes have more, and services no more than that.
 */
@NullMarked
package io.holdfast.coordination.member;

import org.jspecify.annotations.NullMarked;
