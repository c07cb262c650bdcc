package io.holdfast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Reason;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Arguments that no node takes are refused at the door. */
@Timeout(30)
final class ArgumentChecksTest {

  private static final LockListener LISTENER =
      new LockListener() {
        @Override
        public void changed(LockChange change) {}

        @Override
        public void ended(HoldfastException why) {}
      };

  private final FakeNode node = new FakeNode();
  private final HoldfastClient client = HoldfastClient.connect(node.endpoint());

  @AfterEach
  void close() {
    client.close();
    node.close();
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void no_key_at_all_is_refused_and_the_client_lives() throws Exception {
    Grant grant = client.lock("k").acquire(Duration.ofSeconds(10));
    for (Executable call :
        List.<Executable>of(
            () -> client.lock(null),
            () -> client.get(null),
            () -> client.take(null, Duration.ofMinutes(1)),
            () -> client.unlock(null, 1),
            () -> client.validate(null, 1),
            () -> client.watch(null, LISTENER),
            () -> client.watch("k", null),
            () -> client.lock("k").withTtl(null))) {
      assertThrows(NullPointerException.class, call);
    }
    assertTrue(grant.isSurelyHeld());
    assertTrue(client.lock("l").tryAcquire().isPresent());
  }

  @Test
  void a_key_out_of_bounds_is_refused_before_it_is_sent() {
    String pair = new String(Character.toChars(0x1F512));
    for (String key :
        List.of(
            "",
            "a\nb",
            "\u0085",
            "k".repeat(513),
            "ü".repeat(257),
            pair.substring(1),
            pair.charAt(0) + "k")) {
      for (Executable call :
          List.<Executable>of(
              () -> client.lock(key),
              () -> client.get(key),
              () -> client.take(key, Duration.ofMinutes(1)),
              () -> client.unlock(key, 1),
              () -> client.validate(key, 1),
              () -> client.watch(key, LISTENER),
              () -> client.list(key.isEmpty() ? "\n" : key, 1),
              () -> client.watchPrefix(key.isEmpty() ? "\n" : key, LISTENER))) {
        assertEquals(Reason.REASON_KEY_INVALID, assertThrows(RequestRefused.class, call).reason());
      }
    }
    assertTrue(node.asked.isEmpty());
    assertEquals(pair.repeat(128), client.lock(pair.repeat(128)).key());
    assertEquals(
        "key length [66000] exceeds the maximum [512]",
        assertThrows(RequestRefused.class, () -> client.lock("k".repeat(66_000))).getMessage());
  }

  @Test
  void a_ttl_out_of_bounds_is_refused_before_it_is_sent() {
    for (Duration ttl :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(99_999_999),
            Duration.ofHours(24).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      for (Executable call :
          List.<Executable>of(() -> client.lock("k").withTtl(ttl), () -> client.take("k", ttl))) {
        assertEquals(Reason.REASON_OUT_OF_BOUND, assertThrows(RequestRefused.class, call).reason());
      }
    }
    assertTrue(node.asked.isEmpty());
  }

  @Test
  void a_client_id_out_of_bounds_is_refused() {
    for (String id : List.of("", "ü".repeat(65), "a\tb")) {
      ClientBuilder builder = HoldfastClient.builder().endpoint(node.endpoint()).clientId(id);
      assertThrows(IllegalArgumentException.class, builder::connect);
    }
  }

  @Test
  void a_message_that_no_node_takes_is_not_sent() {
    GetLockRequest request = GetLockRequest.newBuilder().setKey("k".repeat(65_536)).build();
    RequestRefused refused =
        assertThrows(
            RequestRefused.class,
            () -> client.calls().read(LockServiceGrpc.getGetLockMethod(), request));
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, refused.reason());
    assertTrue(node.asked.isEmpty());
  }
}
