/**
 * The simulation of the whole: clients, edges, the real actors of locks and leases with their
 * keepers, watches, journal, coordination and Raft, under one scheduler; and the invariants I1 to
 * I12, each a class of its own.
 */
@NullMarked
package io.holdfast.simulation.cluster;

import org.jspecify.annotations.NullMarked;
