package io.holdfast.wire;

import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseOutcome;

/**
 * The answer of a lease to a command.
 *
 * @param number the number of the command's message
 * @param revision the revision of its change, or of the state that the answer reflects
 */
public record LeaseAnswer(long number, Revision revision, LeaseOutcome outcome) {}
