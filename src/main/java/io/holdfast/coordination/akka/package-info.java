/**
 * The side of coordination that Akka sees: leases of shards, who is down, how a cluster is formed
 * and joined. Nothing is decided here: Akka is told what the log has decided.
 */
@NullMarked
package io.holdfast.coordination.akka;

import org.jspecify.annotations.NullMarked;
