package holdfast.config;

import java.time.Duration;

/**
 * How locks are run; {@code holdfast.locks} in reference.conf.
 *
 * @param shards over how many shards the keys are spread
 * @param maxWaiters how many requests may wait for one lock
 * @param maxInMemory how many actors a node keeps in memory
 * @param idleAfter how long a lock stays in memory when nobody asks for it
 * @param answerWithin how long a node waits for a lock's answer
 */
public record LockSettings(
    int shards, int maxWaiters, int maxInMemory, Duration idleAfter, Duration answerWithin) {}
