package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for TLS with clients.
 *
 * @param certificate this node's certificate, followed by those between it and its authority
 * @param privateKey the key of that certificate
 * @param clientAuthorities the authorities of the certificates that clients must show; null if they
 *     need to show none
 */
public record ServerTlsSettings(
    Path certificate, Path privateKey, @Nullable Path clientAuthorities) {

  /** Null if TLS is off; then the files need not be named. */
  static @Nullable ServerTlsSettings from(SettingsReader read, String key) {
    boolean enabled = read.isOn(key + ".enabled");
    if (!enabled) {
      read.unused(key + ".certificate", key + ".private-key", key + ".client-authorities");
      return null;
    }
    return new ServerTlsSettings(
        read.path(key + ".certificate"),
        read.path(key + ".private-key"),
        read.pathOrNothing(key + ".client-authorities").orElse(null));
  }
}
