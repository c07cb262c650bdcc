/**
 * The side of coordination that Akka sees at every member: who is down, and how a cluster is formed
 * and joined. Nothing is decided here: Akka is told what the log has decided.
 */
@NullMarked
package io.holdfast.coordination.akka;

import org.jspecify.annotations.NullMarked;
