package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;

/**
 * The settings of clients' sessions and calls; {@code holdfast.sessions} in reference.conf.
 *
 * @param maxOpenOperations the largest number of operations of one stream without an answer
 * @param maxOpenOperationsPerConnection the largest number of them in all streams of one connection
 * @param maxStreams the largest number of session streams of a node
 * @param maxCommands the largest number of commands in progress at a node; in {@code holdfast.grpc}
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
