package io.holdfast.journal.state;

/**
 * How large all that a journal keeps is. The same on every member that has applied the same
 * entries.
 *
 * @param size about how many bytes of a node's memory it takes
 * @param ids locks and leases of which something is kept
 * @param parts grants and leases that are alive
 * @param waiters requests that wait for a lock
 */
public record Footprint(long size, long ids, long parts, long waiters) {}
