/**
 * The rules of one shared lease, as pure functions: {@link io.holdfast.lease.rules.LeaseMachine}
 * decides what a {@link io.holdfast.lease.LeaseCommand} does to a {@link
 * io.holdfast.lease.rules.LeaseState}. Keeping a lease alive changes nothing in it: that is the
 * matter of who counts its ttl.
 */
@NullMarked
package io.holdfast.lease.rules;

import org.jspecify.annotations.NullMarked;
