package holdfast.config;

import java.time.Duration;

/**
 * How locks are run; {@code holdfast.locks} in reference.conf.
 *
 * @param shards over how many shards the keys are spread
 * @param maxWaiters how many requests may wait for one lock
 * @param idleAfter how long a free lock stays in memory
 * @param answerWithin how long a node waits for a lock's answer
 */
public record LockSettings(int shards, int maxWaiters, Duration idleAfter, Duration answerWithin) {}
