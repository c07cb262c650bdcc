package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.fixtures.ModelLocks;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.Reason;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client goes on by every address that it knows of. */
@Timeout(60)
final class KnownNodesTest {

  private static final Duration TTL = Duration.ofMinutes(1);

  private final FakeNode node = new FakeNode();
  private final int port = Endpoint.parse(node.endpoint()).port();

  @AfterEach
  void close() {
    node.close();
  }

  private static ClientBuilder builder(String endpoint) {
    return HoldfastClient.builder().endpoint(endpoint).answerWithin(Duration.ofSeconds(5));
  }

  @Test
  void a_named_owner_is_asked_when_the_given_node_is_away() {
    try (FakeNode other = new FakeNode();
        HoldfastClient client = builder(node.endpoint()).connect()) {
      node.script =
          operation ->
              Answer.newBuilder()
                  .setGetLock(
                      GetLockResponse.newBuilder()
                          .setOwner(
                              OwnerHint.newBuilder().setMemberId(1).setEndpoint(other.endpoint())));
      assertTrue(client.get("k").isFree());
      node.close();
      assertTrue(client.get("k").isFree());
      assertTrue(client.take("k", TTL).isPresent());
      assertTrue(other.isHeld("k"));
      try (Grant grant = client.lock("l").tryAcquire().orElseThrow()) {
        assertTrue(grant.isSurelyHeld());
      }
    }
  }

  @Test
  void all_that_a_name_stands_for_is_asked() throws Exception {
    InetAddress first = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    InetAddress second = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    node.close();
    try (FakeNode other = new FakeNode(new InetSocketAddress(second, port));
        HoldfastClient client =
            builder("localhost:" + port)
                .names(name -> new InetAddress[] {first, second})
                .connect()) {
      assertTrue(client.get("k").isFree());
      assertTrue(client.take("k", TTL).isPresent());
      assertTrue(other.isHeld("k"));
      assertTrue(client.lock("l").tryAcquire().isPresent());
    }
  }

  @Test
  void each_node_is_asked_in_turn_again_and_again() {
    AtomicInteger refusals = new AtomicInteger(3);
    try (FakeNode other = new FakeNode();
        HoldfastClient client = builder(node.endpoint()).endpoint(other.endpoint()).connect()) {
      node.close();
      other.script =
          operation ->
              refusals.getAndDecrement() > 0 ? ModelLocks.refused(Reason.REASON_NO_MAJORITY) : null;
      assertTrue(client.get("k").isFree());
    }
  }

  @Test
  void an_address_is_known_once_and_never_too_many() {
    Endpoint given = Endpoint.parse("127.0.0.1:7400");
    KnownNodes nodes = new KnownNodes(List.of(given), InetAddress::getAllByName);
    for (int i = 0; i < 1_000; i++) {
      nodes.learn(new Endpoint("127.0.0.1", 7_400 + i, "somebody"));
    }
    assertEquals(64, nodes.list().size());
    assertEquals(given, nodes.list().get(0));
    assertEquals("somebody", nodes.find("127.0.0.1:7401").authority());
  }
}
