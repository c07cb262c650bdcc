package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.typesafe.config.ConfigFactory;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.InvalidSettings;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The listeners that others than this machine reach without being asked who they are. */
class ExposureTest {

  private static final String TLS = "grpc.tls { enabled = on, certificate = a, private-key = b }";

  @Test
  void on_loopback_nothing_is_open() throws InvalidSettings {
    assertEquals(List.of(), exposed(""));
  }

  @Test
  void clients_need_tls_and_operators_certificates() throws InvalidSettings {
    String open = "grpc.host = 0.0.0.0, admin.host = 0.0.0.0\n";
    assertEquals(List.of("grpc", "admin"), exposed(open));
    assertEquals(List.of("admin"), exposed(open + TLS));
    assertEquals(List.of(), exposed(open + TLS + ", grpc.tls.client-authorities = c"));
  }

  private static List<String> exposed(String settings) throws InvalidSettings {
    return Exposure.of(
        HoldfastSettings.from(
            ConfigFactory.parseString("holdfast {\n" + settings + "\n}")
                .withFallback(ConfigFactory.defaultReference())
                .resolve()));
  }
}
