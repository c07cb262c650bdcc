package io.holdfast.lock;

/**
 * The decision about one command.
 *
 * @param outcome for the one who sent it
 * @param kept whether every copy of a lock request has this outcome, however late it comes; true
 *     for other commands
 * @param isSign whether it is a sign of life of the waiter or the grant that the outcome names:
 *     that was there before
 * @param at how many of the batch's events had happened: the outcome speaks of the lock as it was
 *     then
 */
public record Decision(Outcome outcome, boolean kept, boolean isSign, int at) {}
