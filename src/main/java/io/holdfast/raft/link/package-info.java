/**
 * The links between the members of a cluster: {@link io.holdfast.raft.link.PeerLinks} carries the
 * core's messages over TCP or mutual TLS.
 *
 * <p>The core needs few guarantees: a message arrives once, whole and in order, or not at all.
 * Nothing in it blocks the thread that drives the core.
 */
@NullMarked
package io.holdfast.raft.link;

import org.jspecify.annotations.NullMarked;
