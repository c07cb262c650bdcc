package io.holdfast.client;

/**
 * The status of a fencing token when it was read. It may have changed since, so it does not replace
 * a store that refuses smaller tokens.
 *
 * @param isHeld true if a holder of the key has it
 * @param newestHeld the largest token that is held on the key, or 0 if the lock is free
 */
public record TokenStatus(boolean isHeld, long newestHeld) {}
