/**
 * The rules of one shared lease, as pure values and functions: {@link holdfast.lease.LeaseMachine}
 * decides what a {@link holdfast.lease.LeaseCommand} does to a {@link holdfast.lease.LeaseState}.
 * Keeping a lease alive changes nothing in it: that is the matter of who counts its ttl.
 */
@NullMarked
package holdfast.lease;

import org.jspecify.annotations.NullMarked;
