package holdfast.raft.link;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and its certificate, made for tests by the JDK's own tool. */
final class Certificates {

  private static final String PASSWORD = "secret";

  private final KeyStore keys;

  private Certificates(KeyStore keys) {
    this.keys = keys;
  }

  /** A new key, whose certificate names this host, as ip:… or dns:…. */
  static Certificates make(String host) {
    try {
      Path directory = Files.createTempDirectory("keys");
      Path file = directory.resolve("keys.p12");
      Process keytool =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                      "-genkeypair",
                      "-keyalg",
                      "EC",
                      "-alias",
                      "member",
                      "-dname",
                      "CN=member",
                      "-ext",
                      "san=" + host,
                      "-storetype",
                      "PKCS12",
                      "-storepass",
                      PASSWORD,
                      "-keystore",
                      file.toString()))
              .redirectErrorStream(true)
              .start();
      String words = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new AssertionError(words);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      Files.delete(file);
      Files.delete(directory);
      return new Certificates(keys);
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** A context that shows this certificate, and trusts those. */
  SSLContext trusting(Certificates... others) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (int i = 0; i < others.length; i++) {
        trusted.setCertificateEntry("authority " + i, others[i].keys.getCertificate("member"));
      }
      KeyManagerFactory keyManagers = KeyManagerFactory.getInstance("PKIX");
      keyManagers.init(keys, PASSWORD.toCharArray());
      TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
      trustManagers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
