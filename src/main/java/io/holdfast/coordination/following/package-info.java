/**
 * The following of the log by services: a node tells them what it applies of coordination, and puts
 * to the log what they say of their own sessions. A service has a log by that which it never leads.
 */
@NullMarked
package io.holdfast.coordination.following;

import org.jspecify.annotations.NullMarked;
