package io.holdfast.entity;

import io.holdfast.lock.Outcome;

/**
 * What a command to a lock came to.
 *
 * @param number of the message that this answers
 * @param revision of the change that it made, or of the state that it speaks of
 * @param kept whether every copy of the command has this outcome, however late it comes
 */
public record LockAnswer(long number, long revision, Outcome outcome, boolean kept)
    implements AskerMessage {}
