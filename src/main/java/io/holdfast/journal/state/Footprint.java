package io.holdfast.journal.state;

/**
 * The size of a journal's content. It is the same on every member that has applied the same
 * entries.
 *
 * @param size the approximate memory that it takes on a node, in bytes
 * @param ids locks and leases that have a history
 * @param parts grants and leases that are alive
 * @param waiters requests that wait for a lock
 */
public record Footprint(long size, long ids, long parts, long waiters) {}
