package io.holdfast.config;

import com.typesafe.config.Config;
import io.holdfast.config.member.InvalidSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.config.member.ServiceSettings;
import io.holdfast.config.member.SessionSettings;
import io.holdfast.config.member.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node, all of them checked; {@code holdfast} in reference.conf.
 *
 * @param insecure true if a listener off loopback may do without TLS
 * @param clusterTls the files for TLS between the actors of nodes; null for clear text
 * @param grpcTls the files for TLS with clients; null for clear text
 * @param joinWithin a node that is not up in its cluster by then ends
 */
public record HoldfastSettings(
    Path dataDirectory,
    boolean insecure,
    ListenAddress grpc,
    AdvertisedAddress advertised,
    @Nullable ServerTlsSettings grpcTls,
    GuardSettings guard,
    ListenAddress management,
    ListenAddress admin,
    ListenAddress cluster,
    @Nullable TlsSettings clusterTls,
    Duration joinWithin,
    RaftSettings raft,
    SessionSettings session,
    LockSettings locks,
    StateSettings state,
    WatchSettings watch,
    SessionStreamSettings sessions) {

  /**
   * Reads and checks the settings.
   *
   * @param config with {@code holdfast} at its root
   * @throws InvalidSettings with all faults, if there are any
   */
  public static HoldfastSettings from(Config config) throws InvalidSettings {
    SettingsReader read = new SettingsReader(config, ServiceSettings.ROOT);
    HoldfastSettings settings =
        new HoldfastSettings(
            read.path("data-dir"),
            read.isOn("insecure"),
            read.address("grpc"),
            AdvertisedAddress.from(read),
            ServerTlsSettings.from(read, "grpc.tls"),
            GuardSettings.from(read),
            read.address("management"),
            read.address("admin"),
            read.address("cluster"),
            TlsSettings.from(read, "cluster.tls"),
            read.duration("cluster.join-within", Duration.ofSeconds(1), Duration.ofMinutes(10)),
            RaftSettings.from(read),
            SessionSettings.from(read),
            LockSettings.from(read),
            StateSettings.from(read),
            WatchSettings.from(read),
            SessionStreamSettings.from(read));
    // Akka's blocks for the journal's plugins, in holdfast-node.conf, and what a service sets.
    read.leave(
        "service",
        "lease",
        "journal",
        "journal-0",
        "journal-1",
        "journal-2",
        "journal-3",
        "snapshots");
    read.finish();
    return settings;
  }
}
