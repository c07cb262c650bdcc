package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EndpointTest {

  @Test
  void names_and_addresses_have_a_port() {
    assertEquals(new Endpoint("lock-1.example", 7400), Endpoint.parse("lock-1.example:7400"));
    assertEquals(new Endpoint("::1", 7400), Endpoint.parse("[::1]:7400"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "host", ":7400", "host:", "host:0", "host:65536", "host:x", "::1:74"})
  void anything_else_is_refused_by_its_text(String text) {
    var refused = assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text));
    assertEquals("endpoint [" + text + "] is not host:port", refused.getMessage());
  }
}
