package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What one connection and one address may take of what a node has. */
class QuotaTest {

  private final Address.Book addresses = new Address.Book();
  private final Quota quota = new Quota(Quota.Kind.COMMANDS, 1_000, 300);

  @Test
  void one_connection_has_its_part() {
    Caller caller = from("10.0.0.1");
    assertNull(quota.take(caller, 300));
    assertEquals("connection", full(caller).of());
    quota.give(caller, 1);
    assertNull(quota.take(caller, 1));
  }

  @Test
  void one_address_has_half_however_many_connections_it_has() {
    assertNull(quota.take(from("10.0.0.1"), 300));
    Caller second = from("10.0.0.1");
    assertNull(quota.take(second, 200));
    assertEquals(new Quota.Full("address", 500), full(second));
    assertNull(quota.take(from("10.0.0.2"), 300));
  }

  @Test
  void hosts_of_one_ipv6_network_are_one_address() {
    assertNull(quota.take(from("2001:db8:1:2::1"), 300));
    assertNull(quota.take(from("2001:db8:1:2:ffff::2"), 200));
    assertEquals("address", full(from("2001:db8:1:2::3")).of());
    assertNull(quota.take(from("2001:db8:1:3::1"), 300));
  }

  @Test
  void what_a_connection_leaves_under_way_counts_for_its_address() {
    Caller gone = from("10.0.0.1");
    assertNull(quota.take(gone, 300));
    addresses.left(gone);
    Caller next = from("10.0.0.1");
    assertNull(quota.take(next, 200));
    assertEquals("address", full(next).of());
    quota.give(gone, 300);
    assertNull(quota.take(next, 100));
  }

  @Test
  void a_full_node_refuses_everybody_and_takes_nothing() {
    assertNull(quota.take(from("10.0.0.1"), 300));
    assertNull(quota.take(from("10.0.0.2"), 300));
    assertNull(quota.take(from("10.0.0.3"), 300));
    Caller last = from("10.0.0.4");
    assertEquals("node", Objects.requireNonNull(quota.take(last, 101)).of());
    assertEquals(900, quota.taken());
    assertNull(quota.take(last, 100));
  }

  @Test
  void of_what_a_cluster_has_an_address_has_half_at_all_nodes_together() {
    AtomicInteger nodes = new AtomicInteger(5);
    Quota leases = new Quota(Quota.Kind.LEASES, 1_000, 1_000, nodes::get);
    Caller caller = from("10.0.0.1");
    assertNull(leases.take(caller, 100));
    assertEquals(new Quota.Full("address", 100), leases.take(from("10.0.0.1"), 1));
    nodes.set(4);
    assertNull(leases.take(caller, 25));
    assertEquals(new Quota.Full("address", 125), leases.take(caller, 1));
    assertNull(leases.take(from("10.0.0.2"), 125));
  }

  @Test
  void of_little_an_address_may_have_all() {
    assertEquals(500, Quota.ofAddress(1_000, 1));
    assertEquals(166, Quota.ofAddress(1_000, 3));
    assertEquals(64, Quota.ofAddress(100, 3));
    assertEquals(6, Quota.ofAddress(6, 3));
  }

  @Test
  void later_connections_of_an_address_have_its_name_and_unknown_ones_have_their_own() {
    Caller first = from("10.0.0.1");
    addresses.left(first);
    assertEquals(first.network(), from("10.0.0.1").network());
    assertNotEquals(first.network(), from("10.0.0.2").network());
    assertNotEquals(Caller.unknown().network(), Caller.unknown().network());
  }

  @Test
  void a_reserve_is_there_for_what_goes_first() {
    Caller caller = from("10.0.0.1");
    assertNull(quota.take(caller, 299));
    assertNull(quota.full(caller, 0, 0));
    assertNotNull(quota.full(caller, 1, 0));
    assertNull(quota.full(caller, 150, 50));
    assertNotNull(quota.full(caller, 151, 50));
  }

  @Test
  void what_an_address_has_beyond_its_share_is_not_taken_from_others() {
    Quota unread = new Quota(Quota.Kind.UNREAD, 1_000, 1_000);
    Caller caller = from("10.0.0.1");
    unread.count(caller, 2_000);
    assertEquals(new Quota.Full("address", 500), unread.full(from("10.0.0.1"), 0, 0));
    assertNull(unread.full(from("10.0.0.2"), 0, 0));
    unread.give(caller, 1_600);
    assertEquals(400, unread.taken());
    unread.give(caller, 400);
    assertEquals(0, unread.taken());
  }

  private Quota.Full full(Caller caller) {
    return Objects.requireNonNull(quota.take(caller, 1));
  }

  private Caller from(String address) {
    try {
      return addresses.connected(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
