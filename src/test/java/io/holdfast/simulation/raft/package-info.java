/**
 * The simulation of the consensus core: members on disks that forget, behind a network that loses,
 * under clocks that drift.
 */
@NullMarked
package io.holdfast.simulation.raft;

import org.jspecify.annotations.NullMarked;
