package io.holdfast.e2e;

import static io.holdfast.e2e.RawConnection.PING;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.TlsChannelCredentials;
import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Unavailable;
import io.holdfast.fixtures.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that speaks TLS with its clients: one that asks for their certificates, and one not. */
class ClientTlsTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final Certificates NODE = Certificates.make("ip:127.0.0.1");
  private static final Certificates CLIENT = Certificates.make("dns:client");
  private static final Certificates STRANGER = Certificates.make("dns:client");

  @TempDir private static Path folder;
  private static NodeUnderTest open;
  private static NodeUnderTest mutual;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> tls = new HashMap<>();
    tls.put("HOLDFAST_GRPC_TLS_ENABLED", "on");
    tls.put("HOLDFAST_GRPC_TLS_CERTIFICATE", certificate("node", NODE).toString());
    tls.put("HOLDFAST_GRPC_TLS_PRIVATE_KEY", key("node", NODE).toString());
    open = NodeUnderTest.serving(Files.createDirectory(folder.resolve("open")), tls);
    tls.put("HOLDFAST_GRPC_TLS_CLIENT_AUTHORITIES", certificate("client", CLIENT).toString());
    mutual = NodeUnderTest.serving(Files.createDirectory(folder.resolve("mutual")), tls);
  }

  @AfterAll
  static void stop() {
    open.close();
    mutual.close();
  }

  @Test
  void a_client_that_trusts_the_node_locks_and_reads() throws Exception {
    assertServes(open, trusting(NODE).build());
  }

  @Test
  void a_client_with_the_wanted_certificate_is_served() throws Exception {
    assertServes(mutual, showing(CLIENT));
  }

  @Test
  void a_client_without_a_certificate_or_with_another_is_not_served() throws Exception {
    assertUnavailable(mutual, trusting(NODE).build());
    assertUnavailable(mutual, showing(STRANGER));
    assertTrue(
        mutual.output().contains("ended a connection from /127.0.0.1:"), "said: the certificate");
  }

  @Test
  void a_client_that_does_not_trust_the_node_does_not_talk_to_it() throws Exception {
    assertUnavailable(open, trusting(STRANGER).build());
  }

  @Test
  void clear_text_is_not_served() {
    assertUnavailable(open, InsecureChannelCredentials.create());
    try (RawConnection connection = RawConnection.http2(open.grpcAddress())) {
      connection.awaitEnd();
    }
  }

  @Test
  void it_is_tls_1_3_and_http_2_alone() throws Exception {
    assertEquals("h2", handshake("TLSv1.3", "http/1.1", "h2"));
    assertThrows(SSLException.class, () -> handshake("TLSv1.2", "h2"));
    assertThrows(SSLException.class, () -> handshake("TLSv1.3", "http/1.1"));
  }

  @Test
  void a_flood_over_tls_is_ended_like_any_other() {
    try (RawConnection flood =
        RawConnection.http2(STRANGER.trusting(NODE).getSocketFactory(), open.grpcAddress())) {
      for (int i = 0; i < 500_000 && flood.frame(PING, 0, 0, new byte[8]); i++) {}
      flood.awaitEnd();
    }
    eventually(
        "the log says so", WITHIN, open::output, text -> text.contains("more than [10000] PING"));
  }

  private static void assertServes(NodeUnderTest node, ChannelCredentials credentials)
      throws InterruptedException {
    try (HoldfastClient client =
        HoldfastClient.builder().endpoint(node.grpcAddress()).transport(credentials).connect()) {
      try (Grant grant = client.lock("over/tls").acquire(WITHIN)) {
        grant.ensureHeld();
        assertEquals(grant.fencingToken(), client.get("over/tls").holders().get(0).fencingToken());
        assertTrue(client.validate("over/tls", grant.fencingToken()).isHeld());
        assertTrue(grant.release());
      }
    }
  }

  private static void assertUnavailable(NodeUnderTest node, ChannelCredentials credentials) {
    try (HoldfastClient client =
        HoldfastClient.builder()
            .endpoint(node.grpcAddress())
            .transport(credentials)
            .answerWithin(Duration.ofSeconds(1))
            .connect()) {
      assertThrows(Unavailable.class, () -> client.lock("k").tryAcquire());
      assertThrows(Unavailable.class, () -> client.get("k"));
    }
  }

  private static TlsChannelCredentials.Builder trusting(Certificates node) throws IOException {
    return TlsChannelCredentials.newBuilder().trustManager(certificate("trusted", node).toFile());
  }

  private static ChannelCredentials showing(Certificates client) throws IOException {
    return trusting(NODE)
        .keyManager(certificate("shown", client).toFile(), key("shown", client).toFile())
        .build();
  }

  private static String handshake(String protocol, String... applications) throws IOException {
    SSLSocketFactory factory = STRANGER.trusting(NODE).getSocketFactory();
    String[] address = open.grpcAddress().split(":");
    try (SSLSocket socket =
        (SSLSocket) factory.createSocket(address[0], Integer.parseInt(address[1]))) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {protocol});
      parameters.setApplicationProtocols(applications);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getApplicationProtocol();
    }
  }

  private static Path certificate(String name, Certificates of) {
    return of.writeCertificate(folder.resolve(name + "-certificate.pem"));
  }

  private static Path key(String name, Certificates of) {
    return of.writeKey(folder.resolve(name + "-key.pem"));
  }
}
