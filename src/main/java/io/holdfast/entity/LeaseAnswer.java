package io.holdfast.entity;

import io.holdfast.lease.LeaseOutcome;

/**
 * What a command to a lease came to.
 *
 * @param number of the message that this answers
 * @param revision of the change that it made, or of the state that it speaks of
 */
public record LeaseAnswer(long number, long revision, LeaseOutcome outcome) {}
