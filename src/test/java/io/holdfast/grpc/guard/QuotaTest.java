package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The shares of one connection and one address. */
class QuotaTest {

  private final ClientAddress.Registry addresses = new ClientAddress.Registry();
  private final Quota quota = new Quota(Quota.Kind.COMMANDS, 1_000, 300);

  @Test
  void a_connection_is_refused_above_its_share() {
    ClientConnection caller = from("10.0.0.1");
    assertNull(quota.take(caller, 300));
    assertEquals("connection", full(caller).of());
    quota.give(caller, 1);
    assertNull(quota.take(caller, 1));
  }

  @Test
  void an_address_may_take_half_with_all_its_connections() {
    assertNull(quota.take(from("10.0.0.1"), 300));
    ClientConnection second = from("10.0.0.1");
    assertNull(quota.take(second, 200));
    assertEquals(new Quota.Full("address", 500), full(second));
    assertNull(quota.take(from("10.0.0.2"), 300));
  }

  @Test
  void hosts_of_one_ipv6_network_share_a_quota() {
    assertNull(quota.take(from("2001:db8:1:2::1"), 300));
    assertNull(quota.take(from("2001:db8:1:2:ffff::2"), 200));
    assertEquals("address", full(from("2001:db8:1:2::3")).of());
    assertNull(quota.take(from("2001:db8:1:3::1"), 300));
  }

  @Test
  void work_left_by_a_closed_connection_counts_for_its_address() {
    ClientConnection gone = from("10.0.0.1");
    assertNull(quota.take(gone, 300));
    addresses.left(gone);
    ClientConnection next = from("10.0.0.1");
    assertNull(quota.take(next, 200));
    assertEquals("address", full(next).of());
    quota.give(gone, 300);
    assertNull(quota.take(next, 100));
  }

  @Test
  void a_full_node_refuses_and_takes_nothing() {
    assertNull(quota.take(from("10.0.0.1"), 300));
    assertNull(quota.take(from("10.0.0.2"), 300));
    assertNull(quota.take(from("10.0.0.3"), 300));
    ClientConnection last = from("10.0.0.4");
    assertEquals("node", Objects.requireNonNull(quota.take(last, 101)).of());
    assertEquals(900, quota.taken());
    assertNull(quota.take(last, 100));
  }

  @Test
  void an_address_may_take_half_of_a_cluster_over_all_nodes() {
    AtomicInteger nodes = new AtomicInteger(5);
    Quota leases = new Quota(Quota.Kind.LEASES, 1_000, 1_000, nodes::get);
    ClientConnection caller = from("10.0.0.1");
    assertNull(leases.take(caller, 100));
    assertEquals(new Quota.Full("address", 100), leases.take(from("10.0.0.1"), 1));
    nodes.set(4);
    assertNull(leases.take(caller, 25));
    assertEquals(new Quota.Full("address", 125), leases.take(caller, 1));
    assertNull(leases.take(from("10.0.0.2"), 125));
  }

  @Test
  void an_address_may_take_all_of_a_small_quota() {
    assertEquals(500, Quota.ofAddress(1_000, 1));
    assertEquals(166, Quota.ofAddress(1_000, 3));
    assertEquals(64, Quota.ofAddress(100, 3));
    assertEquals(6, Quota.ofAddress(6, 3));
  }

  @Test
  void connections_of_one_address_share_its_name() {
    ClientConnection first = from("10.0.0.1");
    addresses.left(first);
    assertEquals(first.network(), from("10.0.0.1").network());
    assertNotEquals(first.network(), from("10.0.0.2").network());
    assertNotEquals(ClientConnection.unknown().network(), ClientConnection.unknown().network());
  }

  @Test
  void a_caller_with_priority_may_use_the_reserve() {
    ClientConnection caller = from("10.0.0.1");
    assertNull(quota.take(caller, 299));
    assertNull(quota.full(caller, 0, 0));
    assertNotNull(quota.full(caller, 1, 0));
    assertNull(quota.full(caller, 150, 50));
    assertNotNull(quota.full(caller, 151, 50));
  }

  @Test
  void an_excess_of_one_address_is_not_taken_from_others() {
    Quota unread = new Quota(Quota.Kind.UNREAD, 1_000, 1_000);
    ClientConnection caller = from("10.0.0.1");
    unread.count(caller, 2_000);
    assertEquals(new Quota.Full("address", 500), unread.full(from("10.0.0.1"), 0, 0));
    assertNull(unread.full(from("10.0.0.2"), 0, 0));
    unread.give(caller, 1_600);
    assertEquals(400, unread.taken());
    unread.give(caller, 400);
    assertEquals(0, unread.taken());
  }

  @Test
  void a_third_address_finds_room_beside_two_that_take_all() {
    Quota unread = new Quota(Quota.Kind.UNREAD, 1_000, 1_000);
    for (String address : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3")) {
      ClientConnection caller = from(address);
      while (unread.full(caller, 0, 0) == null) {
        unread.count(caller, 10);
      }
    }
    assertEquals(500 + 250 + 130, unread.taken());
    assertNull(unread.full(from("10.0.0.4"), 0, 0));
  }

  @Test
  void bytes_of_messages_leave_room_for_another_address_too() {
    Quota bytes = new Quota(Quota.Kind.BYTES, 1_000, 1_000);
    assertNull(bytes.take(from("10.0.0.1"), 500));
    ClientConnection second = from("10.0.0.2");
    assertNull(bytes.take(second, 200));
    assertEquals(new Quota.Full("address", 250), bytes.take(second, 51));
    assertNull(bytes.take(second, 50));
    assertNull(bytes.take(from("10.0.0.3"), 125));
  }

  private Quota.Full full(ClientConnection caller) {
    return Objects.requireNonNull(quota.take(caller, 1));
  }

  private ClientConnection from(String address) {
    try {
      return addresses.connected(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
