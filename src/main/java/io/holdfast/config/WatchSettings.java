package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;
import java.time.Duration;

/**
 * The settings of watches; {@code holdfast.watch} in reference.conf.
 *
 * @param historyMaxEvents the largest number of public changes that a node keeps for watches
 * @param historyMaxBytes the largest size of those changes
 * @param maxPerStream the largest number of watches of one stream
 * @param maxPerNode the largest number of watches of a node
 * @param progressEvery the interval at which an idle watch is told of progress, if it asked for
 *     that
 */
public record WatchSettings(
    int historyMaxEvents,
    long historyMaxBytes,
    int maxPerStream,
    int maxPerNode,
    Duration progressEvery) {

  static WatchSettings from(SettingsReader read) {
    return new WatchSettings(
        read.integer("watch.history.max-events", 1_000, 10_000_000),
        read.bytes("watch.history.max-bytes", 1L << 20, 1L << 34),
        read.integer("watch.max-per-stream", 1, 100_000),
        read.integer("watch.max-per-node", 1, 1_000_000),
        read.duration("watch.progress-every", Duration.ofSeconds(1), Duration.ofMinutes(1)));
  }
}
