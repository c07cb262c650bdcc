package io.holdfast.wire;

import io.holdfast.id.Revision;
import io.holdfast.lock.Outcome;

/**
 * The answer of a lock to a command.
 *
 * @param number the number of the command's message
 * @param revision the revision of its change, or of the state that the answer reflects
 * @param kept true if every copy of the command gets this outcome, however late it comes
 */
public record LockAnswer(long number, Revision revision, Outcome outcome, boolean kept)
    implements CallerMessage {}
