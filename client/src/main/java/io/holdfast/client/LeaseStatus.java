package io.holdfast.client;

import java.time.Duration;

/**
 * A shared lease that was alive when it was read.
 *
 * @param clientId whose it is; empty if it is nobody's
 * @param keyCount how many locks are held by it
 * @param isSession that it is the lease of a session
 */
public record LeaseStatus(
    long leaseId, String clientId, Duration ttl, int keyCount, boolean isSession) {}
