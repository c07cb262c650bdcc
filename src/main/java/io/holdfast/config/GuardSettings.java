package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;
import java.time.Duration;

/**
 * The limits on what one client may ask of the gRPC port; {@code holdfast.grpc} in reference.conf.
 * Numbers are per connection and second, except those that begin with max.
 *
 * @param maxConnections the largest number of connections that are open at a time
 * @param maxConnectionsPerAddress the largest number of them from one address
 * @param idleAfter the longest time for which a connection may be silent
 * @param maxCalls the largest number of calls, streams too, that one connection has open at a time
 * @param maxStreams the largest number of them that are streams of many messages
 * @param settings SETTINGS frames
 * @param pings PING frames
 * @param resets RST_STREAM frames, from the client, and in answer to it
 * @param windowUpdates WINDOW_UPDATE frames
 * @param idleFrames frames that carry next to nothing: DATA of less than a message, PRIORITY, and
 *     types that do not exist
 */
public record GuardSettings(
    int maxConnections,
    int maxConnectionsPerAddress,
    Duration idleAfter,
    int maxCalls,
    int maxStreams,
    int settings,
    int pings,
    int resets,
    int windowUpdates,
    int idleFrames) {

  /** The same with fewer connections. */
  public GuardSettings withConnections(int max) {
    return new GuardSettings(
        Math.min(max, maxConnections),
        Math.min(max, maxConnectionsPerAddress),
        idleAfter,
        maxCalls,
        maxStreams,
        settings,
        pings,
        resets,
        windowUpdates,
        idleFrames);
  }

  static GuardSettings from(SettingsReader read) {
    return new GuardSettings(
        read.integer("grpc.max-connections", 1, 65_536),
        read.integer("grpc.max-connections-per-address", 1, 65_536),
        read.duration("grpc.idle-after", Duration.ofSeconds(1), Duration.ofDays(1)),
        read.integer("grpc.max-calls-per-connection", 1, 65_536),
        read.integer("grpc.max-streams-per-connection", 1, 65_536),
        read.integer("grpc.guard.settings", 1, 1_000_000),
        read.integer("grpc.guard.pings", 1, 1_000_000),
        read.integer("grpc.guard.resets", 1, 1_000_000),
        read.integer("grpc.guard.window-updates", 1, 1_000_000),
        read.integer("grpc.guard.idle-frames", 1, 1_000_000));
  }
}
