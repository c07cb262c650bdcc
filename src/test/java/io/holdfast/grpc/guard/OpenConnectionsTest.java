package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** How many connections there may be, of whom, and how fast. */
class OpenConnectionsTest {

  private static final long START = Long.MAX_VALUE - 1_000; // the clock may pass its end
  private static final long SECOND = 1_000_000_000;

  private final OpenConnections open = new OpenConnections(25, 20);

  @Test
  void one_address_cannot_take_every_place() throws Exception {
    add(20, "10.0.0.1", START);
    assertEquals(
        "there are [20] connections from its address already",
        open.add(address("10.0.0.1"), START));
    add(5, "10.0.0.2", START);
    assertEquals("there are [25] connections already", open.add(address("10.0.0.3"), START));
    open.remove(address("10.0.0.1"), START);
    add(1, "10.0.0.3", START);
    assertEquals("there are [25] connections already", open.add(address("10.0.0.3"), START));
  }

  @Test
  void a_place_that_is_free_again_is_taken_again() throws Exception {
    add(20, "10.0.0.1", START);
    open.remove(address("10.0.0.1"), START);
    add(1, "10.0.0.1", later(1));
    assertEquals(
        "there are [20] connections from its address already",
        open.add(address("10.0.0.1"), later(1)));
  }

  @Test
  void connections_one_after_the_other_have_a_rate() throws Exception {
    for (int i = 0; i < 20; i++) {
      add(1, "10.0.0.1", START);
      open.remove(address("10.0.0.1"), START);
    }
    assertEquals(
        "more than [2] connections a second from its address",
        open.add(address("10.0.0.1"), START));
    add(1, "10.0.0.2", START);
    add(2, "10.0.0.1", later(1));
    assertEquals(
        "more than [2] connections a second from its address",
        open.add(address("10.0.0.1"), later(1)));
  }

  @Test
  void a_network_of_ipv6_is_one_address() throws Exception {
    add(20, "2001:db8:0:1::1", START);
    assertEquals(
        "there are [20] connections from its address already",
        open.add(address("2001:db8:0:1:ffff::2"), START));
    add(1, "2001:db8:0:2::1", START);
  }

  @Test
  void many_addresses_are_not_remembered_for_ever() throws Exception {
    for (int i = 0; i < 60_000; i++) {
      String from = "10.1.%d.%d".formatted(i >> 8, i & 0xff);
      add(1, from, START);
      open.remove(address(from), START);
    }
    assertTrue(open.remembered() <= 50, () -> "remembered: " + open.remembered());
  }

  private void add(int count, String address, long now) throws UnknownHostException {
    for (int i = 0; i < count; i++) {
      assertNull(open.add(address(address), now), "connection " + i);
    }
  }

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  private static long later(int seconds) {
    return START + seconds * SECOND;
  }
}
