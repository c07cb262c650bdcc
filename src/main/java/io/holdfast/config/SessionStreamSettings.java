package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;

/**
 * The settings of clients' sessions and calls; {@code holdfast.sessions} in reference.conf.
 *
 * @param maxOpenOperations how many operations of one stream may be without an answer
 * @param maxOpenOperationsPerConnection how many of all streams of one connection
 * @param maxStreams how many streams of sessions a node may have
 * @param maxCommands how many commands a node may have under way; in {@code holdfast.grpc}
 */
public record SessionStreamSettings(
    int maxOpenOperations, int maxOpenOperationsPerConnection, int maxStreams, int maxCommands) {

  static SessionStreamSettings from(SettingsReader read) {
    return new SessionStreamSettings(
        read.integer("sessions.max-open-operations", 1, 100_000),
        read.integer("sessions.max-open-operations-per-connection", 1, 1_000_000),
        read.integer("sessions.max-streams", 1, 1_000_000),
        read.integer("grpc.max-commands", 4, 1_000_000));
  }
}
