package io.holdfast.cli;

import io.grpc.TlsChannelCredentials;
import io.holdfast.client.ClientBuilder;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine.Option;

/** The TLS options of all commands. Without them connections are in clear text. */
final class TlsOption {

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      defaultValue = "${env:HOLDFAST_TLS_CA:-}",
      description =
          "Speaks TLS, and trusts the authorities in this PEM file. Default: HOLDFAST_TLS_CA.")
  private String authorities = "";

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      defaultValue = "${env:HOLDFAST_TLS_CERT:-}",
      description = "The certificate to show, in PEM. Default: HOLDFAST_TLS_CERT.")
  private String certificate = "";

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      defaultValue = "${env:HOLDFAST_TLS_KEY:-}",
      description = "Its private key, in PEM and PKCS#8. Default: HOLDFAST_TLS_KEY.")
  private String key = "";

  @Option(
      names = "--tls-name",
      paramLabel = "NAME",
      defaultValue = "${env:HOLDFAST_TLS_NAME:-}",
      description =
          "The name in the nodes' certificates, if it is not that of the endpoint. Default:"
              + " HOLDFAST_TLS_NAME.")
  private String name = "";

  void secure(ClientBuilder builder) {
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new IllegalArgumentException("--tls-cert and --tls-key go together");
    } else if (authorities.isEmpty() && !(certificate + name).isEmpty()) {
      throw new IllegalArgumentException("--tls-cert and --tls-name need --tls-ca");
    } else if (authorities.isEmpty()) {
      return;
    }
    try {
      TlsChannelCredentials.Builder tls =
          TlsChannelCredentials.newBuilder().trustManager(new File(authorities));
      if (!certificate.isEmpty()) {
        tls.keyManager(new File(certificate), new File(key));
      }
      builder.transport(tls.build());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!name.isEmpty()) {
      builder.authority(name);
    }
  }
}
