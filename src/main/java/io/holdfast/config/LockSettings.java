package io.holdfast.config;

import io.holdfast.config.member.ServiceSettings;
import io.holdfast.config.member.SettingsReader;
import java.time.Duration;

/**
 * The settings of locks; {@code holdfast.locks} in reference.conf.
 *
 * @param shards over how many shards the keys are spread
 * @param maxWaiters the largest number of requests that wait for one lock
 * @param maxInMemory the number of actors that a node keeps in memory
 * @param idleAfter the time for which a lock stays in memory when nobody asks for it
 * @param answerWithin the longest wait of a node for a lock's answer
 * @param stopWithin the longest time that a lock's actor may take to stop
 */
public record LockSettings(
    int shards,
    int maxWaiters,
    int maxInMemory,
    Duration idleAfter,
    Duration answerWithin,
    Duration stopWithin,
    LockLimits limits) {

  static LockSettings from(SettingsReader read) {
    return new LockSettings(
        read.integer("locks.shards", 1, 1_000),
        read.integer("locks.max-waiters", 1, 10_000),
        read.integer("locks.max-in-memory", 1_000, 10_000_000),
        read.duration("locks.idle-after", Duration.ofSeconds(1), Duration.ofDays(1)),
        ServiceSettings.answerWithin(read),
        read.duration("locks.stop-within", Duration.ofSeconds(1), Duration.ofMinutes(10)),
        LockLimits.from(read));
  }
}
