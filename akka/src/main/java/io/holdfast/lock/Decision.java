package io.holdfast.lock;

/**
 * The decision about one command.
 *
 * @param outcome the answer to its sender
 * @param kept true if every copy of a lock request gets this outcome, however late it comes; always
 *     true for other commands
 * @param isKeepalive true if it is a keepalive of the waiter or grant that the outcome names, which
 *     existed before
 * @param at the number of events of the batch that the outcome reflects
 */
public record Decision(Outcome outcome, boolean kept, boolean isKeepalive, int at) {}
