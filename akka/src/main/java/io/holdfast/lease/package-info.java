/**
 * The rules of one shared lease, as pure values and functions: {@link
 * io.holdfast.lease.LeaseMachine} decides what a {@link io.holdfast.lease.LeaseCommand} does to a
 * {@link io.holdfast.lease.LeaseState}. Keeping a lease alive changes nothing in it: that is the
 * matter of who counts its ttl.
 */
@NullMarked
package io.holdfast.lease;

import org.jspecify.annotations.NullMarked;
