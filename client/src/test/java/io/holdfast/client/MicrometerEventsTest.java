package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.client.fixtures.FakeNode;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

final class MicrometerEventsTest {

  @Test
  void each_event_of_a_client_is_counted() throws Exception {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (FakeNode node = new FakeNode();
        HoldfastClient client =
            HoldfastClient.builder()
                .endpoint(node.endpoint())
                .events(new MicrometerEvents(registry, Tags.of("client", "test")))
                .connect()) {
      client.lock("k").acquire().close();
      node.hold("k");
      assertEquals(true, client.lock("k").tryAcquire().isEmpty());
      assertEquals(1, registry.get("holdfast.client.streams").gauge().value());
    }
    assertEquals(
        1, registry.get("holdfast.client.acquire").tag("outcome", "granted").timer().count());
    assertEquals(
        1, registry.get("holdfast.client.acquire").tag("outcome", "not_acquired").timer().count());
    assertEquals(1, registry.get("holdfast.client.held").tag("client", "test").timer().count());
    assertEquals(
        0, registry.get("holdfast.client.lost").tag("reason", "deadline_passed").counter().count());
  }
}
