package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.config.TlsSettings;
import io.holdfast.fixtures.Certificates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that fit together become the two ends of TLS; of others it is said what is wrong. */
class PemFilesTest {

  private static final Certificates EC = Certificates.make("ip:127.0.0.1");
  private static final Certificates OTHER_EC = Certificates.make("ip:127.0.0.1");
  private static final Certificates RSA = Certificates.make("ip:127.0.0.1", "RSA");

  @TempDir private Path folder;
  private Path certificate = Path.of("");
  private Path key = Path.of("");
  private Path authorities = Path.of("");

  @BeforeEach
  void write() {
    use(EC);
  }

  @Test
  void keys_of_both_kinds_serve_both_ends() throws Exception {
    assertShakesHands(context());
    use(RSA);
    assertShakesHands(context());
  }

  @Test
  void several_certificates_may_stand_in_a_file_with_words_between() throws Exception {
    String other = Files.readString(RSA.writeCertificate(folder.resolve("other.pem")));
    Files.writeString(
        authorities, "subject=one\n" + other + "\nsubject=two\n" + Files.readString(authorities));
    assertShakesHands(context());
  }

  @Test
  void a_key_may_stand_behind_its_certificate() throws Exception {
    Files.writeString(key, Files.readString(certificate) + Files.readString(key));
    assertShakesHands(context());
  }

  @Test
  void files_that_are_missing_are_all_named() {
    certificate = folder.resolve("a");
    key = folder.resolve("b");
    authorities = folder.resolve("c");
    List<String> faults = faults();
    assertEquals(3, faults.size());
    assertTrue(faults.get(0).startsWith("the certificate file [" + certificate + "] cannot be"));
    assertTrue(faults.get(1).startsWith("the authorities file [" + authorities + "] cannot be"));
    assertTrue(faults.get(2).startsWith("the private key file [" + key + "] cannot be"));
  }

  @Test
  void the_key_of_another_certificate_is_refused() {
    OTHER_EC.writeKey(key);
    assertEquals(
        List.of(
            "the private key file [%s] is not the key of the certificate in [%s]"
                .formatted(key, certificate)),
        faults());
    RSA.writeKey(key);
    assertFault("cannot be read as the EC key of the certificate in");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
  void a_key_in_another_form_is_refused_with_the_cure(String form) throws IOException {
    Files.writeString(key, Files.readString(key).replace("PRIVATE KEY", form));
    assertFault("openssl pkcs8 -topk8 -nocrypt converts it");
  }

  @Test
  void files_that_hold_something_else_are_refused() throws IOException {
    Files.writeString(key, "no key");
    assertFault("[" + key + "] holds no private key in PEM form");
    Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
    assertFault("cannot be read as the EC key");
    Files.writeString(certificate, Files.readString(EC.writeKey(key)));
    assertFault("[" + certificate + "] holds no certificate in PEM form");
    Files.writeString(certificate, "-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----\n");
    assertFault("[" + certificate + "] holds a certificate that cannot be read");
  }

  private void use(Certificates certificates) {
    certificate = certificates.writeCertificate(folder.resolve("certificate.pem"));
    key = certificates.writeKey(folder.resolve("key.pem"));
    authorities = certificates.writeCertificate(folder.resolve("authorities.pem"));
  }

  private SSLContext context() throws StartFailure {
    return PemFiles.context(
        "holdfast.raft.tls", new TlsSettings(certificate, key, authorities, true));
  }

  private List<String> faults() {
    StartFailure failure = assertThrows(StartFailure.class, this::context);
    assertEquals(NodeExitCode.CONFIGURATION, failure.exitCode());
    return failure.faults();
  }

  private void assertFault(String wanted) {
    List<String> faults = faults();
    assertEquals(1, faults.size(), faults::toString);
    assertTrue(faults.get(0).contains(wanted), faults.get(0));
  }

  /** Two ends with the same files accept each other. */
  private static void assertShakesHands(SSLContext context)
      throws SSLException, SSLPeerUnverifiedException {
    SSLEngine client = context.createSSLEngine("127.0.0.1", 1);
    client.setUseClientMode(true);
    SSLEngine server = context.createSSLEngine();
    server.setUseClientMode(false);
    server.setNeedClientAuth(true);
    ByteBuffer toServer = ByteBuffer.allocate(64 << 10);
    ByteBuffer toClient = ByteBuffer.allocate(64 << 10);
    for (int i = 0; i < 20; i++) {
      step(client, toClient, toServer);
      step(server, toServer, toClient);
    }
    assertEquals(1, server.getSession().getPeerCertificates().length);
    assertEquals(1, client.getSession().getPeerCertificates().length);
  }

  private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    ByteBuffer clear = ByteBuffer.allocate(64 << 10);
    in.flip();
    SSLEngineResult result;
    do {
      Runnable task = engine.getDelegatedTask();
      while (task != null) {
        task.run();
        task = engine.getDelegatedTask();
      }
      result =
          engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP
              ? engine.wrap(ByteBuffer.allocate(0), out)
              : engine.unwrap(in, clear);
    } while (result.getStatus() == SSLEngineResult.Status.OK
        && result.bytesConsumed() + result.bytesProduced() > 0);
    in.compact();
  }
}
