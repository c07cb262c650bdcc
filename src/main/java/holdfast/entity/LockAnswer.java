package holdfast.entity;

import holdfast.lock.Outcome;

/**
 * What a command to a lock came to.
 *
 * @param number of the message that this answers
 * @param revision of the change that it made, or of the state that it speaks of
 */
public record LockAnswer(long number, long revision, Outcome outcome) {}
