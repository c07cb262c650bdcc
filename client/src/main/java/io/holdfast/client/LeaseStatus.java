package io.holdfast.client;

import java.time.Duration;

/**
 * A shared lease that was alive when it was read.
 *
 * @param clientId the name of its client; empty if it has none
 * @param keyCount the number of locks that it holds
 * @param isSession true for the lease of a session
 */
public record LeaseStatus(
    long leaseId, String clientId, Duration ttl, int keyCount, boolean isSession) {}
