package io.holdfast.config;

import io.holdfast.config.member.ListenAddress;
import io.holdfast.config.member.SettingsReader;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The address of a node that clients are told; part of {@code holdfast.grpc} in reference.conf.
 *
 * @param host empty for the one that the node listens at
 * @param port 0 for the one that the node listens at
 */
public record AdvertisedAddress(String host, int port) {

  static AdvertisedAddress from(SettingsReader read) {
    return new AdvertisedAddress(
        read.hostOrNothing("grpc.advertised-host"),
        read.integer("grpc.advertised-port", 0, 65_535));
  }

  /**
   * The address to tell; empty if the node listens at all addresses and none is set.
   *
   * @param listened as it stands in the settings
   * @param bound the address at which the node listens
   */
  public Optional<ListenAddress> of(ListenAddress listened, InetSocketAddress bound) {
    if (host.isEmpty() && bound.getAddress().isAnyLocalAddress()) {
      return Optional.empty();
    }
    return Optional.of(
        new ListenAddress(
            host.isEmpty() ? listened.host() : host, port == 0 ? bound.getPort() : port));
  }
}
