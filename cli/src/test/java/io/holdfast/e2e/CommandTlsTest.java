package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.fixtures.Certificates;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line against a node that asks for the certificates of its clients. */
class CommandTlsTest {

  @TempDir private Path folder;

  @Test
  void a_command_with_trust_and_a_certificate_is_served() {
    Certificates node = Certificates.make("dns:node");
    Certificates client = Certificates.make("dns:client");
    String ca = node.writeCertificate(folder.resolve("node.pem")).toString();
    String key = node.writeKey(folder.resolve("node-key.pem")).toString();
    String shown = client.writeCertificate(folder.resolve("client.pem")).toString();
    String shownKey = client.writeKey(folder.resolve("client-key.pem")).toString();
    Map<String, String> tls =
        Map.of(
            "HOLDFAST_GRPC_TLS_ENABLED", "on",
            "HOLDFAST_GRPC_TLS_CERTIFICATE", ca,
            "HOLDFAST_GRPC_TLS_PRIVATE_KEY", key,
            "HOLDFAST_GRPC_TLS_CLIENT_AUTHORITIES", shown);
    try (NodeUnderTest served = NodeUnderTest.serving(folder, tls)) {
      String at = served.grpcAddress();
      String[] trusting = {"list", "--tls-ca", ca, "--tls-name", "node"};
      String[] showing = {
        "list", "--tls-ca", ca, "--tls-name", "node", "--tls-cert", shown, "--tls-key", shownKey
      };
      assertEquals("KEY  TOKEN  WAITING  CLIENT", Ran.ok(at, showing));
      assertEquals(69, Ran.run(at, trusting).code(), "it shows no certificate");
      assertEquals(69, Ran.run(at, "list", "--tls-ca", ca).code(), "another name");
      assertEquals(69, Ran.run(at, "list").code(), "clear text");
      assertEquals(74, Ran.run(at, "list", "--tls-ca", folder + "/none").code());
    }
  }
}
