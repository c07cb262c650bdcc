package io.holdfast.bench.floods;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.holdfast.bench.cluster.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A key for all nodes on loopback and its certificate, made by the JDK's own tool. */
record NodeKey(Path certificate, Path key) {

  private static final String PASSWORD = "secret";
  private static final String ALIAS = "node";

  static NodeKey make(Path folder) throws IOException {
    Path store = folder.resolve("keys.p12");
    Shell.run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-keyalg",
        "EC",
        "-alias",
        ALIAS,
        "-dname",
        "CN=node",
        "-ext",
        "san=ip:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD,
        "-keystore",
        store.toString());
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return new NodeKey(
          pem(folder, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()),
          pem(folder, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** Options by which a node speaks TLS, with clients and with members. */
  List<String> options() {
    return List.of(
        "-Dholdfast.grpc.tls.enabled=on",
        "-Dholdfast.grpc.tls.certificate=" + certificate,
        "-Dholdfast.grpc.tls.private-key=" + key,
        "-Dholdfast.raft.tls.enabled=on",
        "-Dholdfast.raft.tls.certificate=" + certificate,
        "-Dholdfast.raft.tls.private-key=" + key,
        "-Dholdfast.raft.tls.authorities=" + certificate,
        "-Dholdfast.cluster.tls.enabled=on",
        "-Dholdfast.cluster.tls.certificate=" + certificate,
        "-Dholdfast.cluster.tls.private-key=" + key,
        "-Dholdfast.cluster.tls.authorities=" + certificate);
  }

  /** Credentials of a client that trusts such a node. */
  ChannelCredentials trusted() throws IOException {
    return TlsChannelCredentials.newBuilder().trustManager(certificate.toFile()).build();
  }

  private static Path pem(Path folder, String what, byte[] encoded) throws IOException {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return Files.writeString(
        folder.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, lines));
  }
}
