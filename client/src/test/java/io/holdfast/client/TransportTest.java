package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallCredentials;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.holdfast.client.fixtures.FakeNode;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests TLS, interceptors and credentials of connections. */
@Timeout(60)
@Tag("slow")
final class TransportTest {

  private static final char[] PASSWORD = "secret".toCharArray();

  @TempDir private Path folder;

  @Test
  void over_mutual_tls_only_who_shows_a_certificate_is_served() throws Exception {
    KeyStore keys = keys();
    KeyManagerFactory shown = KeyManagerFactory.getInstance("PKIX");
    shown.init(keys, PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(keys);
    KeyManager[] show = shown.getKeyManagers();
    TrustManager[] trust = trusted.getTrustManagers();
    try (FakeNode node =
        new FakeNode(
            TlsServerCredentials.newBuilder()
                .keyManager(show)
                .trustManager(trust)
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build())) {
      try (HoldfastClient client =
          HoldfastClient.builder()
              .endpoint(node.endpoint())
              .transport(
                  TlsChannelCredentials.newBuilder().keyManager(show).trustManager(trust).build())
              .connect()) {
        client.lock("k").acquire().close();
        assertTrue(client.get("k").isFree());
      }
      try (HoldfastClient stranger =
          HoldfastClient.builder()
              .endpoint(node.endpoint())
              .transport(TlsChannelCredentials.newBuilder().trustManager(trust).build())
              .answerWithin(Duration.ofSeconds(1))
              .connect()) {
        assertThrows(Unavailable.class, () -> stranger.lock("k").tryAcquire());
      }
    }
  }

  private KeyStore keys() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "member",
                "-dname",
                "CN=member",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    KeyStore both = KeyStore.getInstance("PKCS12");
    both.load(null, PASSWORD);
    both.setKeyEntry(
        "member", keys.getKey("member", PASSWORD), PASSWORD, keys.getCertificateChain("member"));
    both.setCertificateEntry("trusted", keys.getCertificate("member"));
    return both;
  }

  @Test
  void each_call_is_seen_by_interceptors_and_carries_credentials() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    CallCredentials credentials =
        new CallCredentials() {
          @Override
          public void applyRequestMetadata(
              RequestInfo request, Executor executor, MetadataApplier applier) {
            asked.incrementAndGet();
            applier.apply(new Metadata());
          }
        };
    ClientInterceptor interceptor =
        new ClientInterceptor() {
          @Override
          public <Q, A> ClientCall<Q, A> interceptCall(
              MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            seen.add(String.valueOf(method.getBareMethodName()));
            return next.newCall(method, options);
          }
        };
    try (FakeNode node = new FakeNode();
        HoldfastClient client =
            HoldfastClient.builder()
                .endpoint(node.endpoint())
                .credentials(credentials)
                .interceptor(interceptor)
                .connect()) {
      client.lock("k").acquire().close();
      client.get("k");
    }
    assertTrue(seen.contains("Session") && seen.contains("GetLock"), seen::toString);
    assertEquals(2, asked.get());
  }

  @Test
  void an_argument_out_of_bound_is_refused_at_once() {
    assertThrows(IllegalArgumentException.class, HoldfastClient::connect);
    assertThrows(IllegalArgumentException.class, () -> HoldfastClient.connect("nowhere"));
    ClientBuilder builder = HoldfastClient.builder().endpoint("127.0.0.1:7400");
    assertThrows(
        IllegalArgumentException.class, () -> builder.ttl(Duration.ofMillis(999)).connect());
    assertThrows(
        IllegalArgumentException.class,
        () -> builder.ttl(Duration.ofSeconds(5)).answerWithin(Duration.ZERO).connect());
  }
}
