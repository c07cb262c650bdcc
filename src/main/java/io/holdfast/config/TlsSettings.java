package io.holdfast.config;

import io.holdfast.config.member.SettingsReader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files for mutual TLS.
 *
 * @param certificate this node's certificate, followed by those between it and its authority
 * @param privateKey the key of that certificate
 * @param authorities the authorities whose certificates are trusted
 * @param verifyHostNames true if a certificate must name the host that was dialed
 */
public record TlsSettings(
    Path certificate, Path privateKey, Path authorities, boolean verifyHostNames) {

  /** Null if TLS is off; then the files need not be named. */
  static @Nullable TlsSettings from(SettingsReader read, String key) {
    boolean enabled = read.isOn(key + ".enabled");
    boolean verifyHostNames = read.isOn(key + ".verify-host-names");
    if (!enabled) {
      read.unused(key + ".certificate", key + ".private-key", key + ".authorities");
      return null;
    }
    return new TlsSettings(
        read.path(key + ".certificate"),
        read.path(key + ".private-key"),
        read.path(key + ".authorities"),
        verifyHostNames);
  }
}
