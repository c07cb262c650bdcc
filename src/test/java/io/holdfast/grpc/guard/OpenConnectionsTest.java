package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** The limits of connections: in total, by address and by rate. */
class OpenConnectionsTest {

  private static final long START = Long.MAX_VALUE - 1_000; // the clock may pass its end
  private static final long SECOND = 1_000_000_000;

  private final OpenConnections open = new OpenConnections(25, 20);

  @Test
  void an_address_is_refused_above_its_share_of_connections() throws Exception {
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
  void a_closed_connection_makes_room_for_another() throws Exception {
    add(20, "10.0.0.1", START);
    open.remove(address("10.0.0.1"), START);
    add(1, "10.0.0.1", later(1));
    assertEquals(
        "there are [20] connections from its address already",
        open.add(address("10.0.0.1"), later(1)));
  }

  @Test
  void successive_connections_are_rate_limited() throws Exception {
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
  void an_ipv6_network_counts_as_one_address() throws Exception {
    add(20, "2001:db8:0:1::1", START);
    assertEquals(
        "there are [20] connections from its address already",
        open.add(address("2001:db8:0:1:ffff::2"), START));
    add(1, "2001:db8:0:2::1", START);
  }

  @Test
  void idle_addresses_are_forgotten() throws Exception {
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
