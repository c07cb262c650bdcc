package io.holdfast.grpc.guard;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client's network address, with the amounts that all its connections have taken of the node's
 * quotas.
 */
final class ClientAddress {

  /**
   * The bytes of an IPv6 address that identify its network. One host may have all addresses of the
   * network.
   */
  private static final int NETWORK_BYTES = 8;

  private final Map<Quota.Kind, AtomicLong> taken = counters();
  private final AtomicInteger connections = new AtomicInteger();
  private final CallPace pace = new CallPace(System.nanoTime());
  private final String name;

  ClientAddress(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  CallPace pace() {
    return pace;
  }

  static Map<Quota.Kind, AtomicLong> counters() {
    Map<Quota.Kind, AtomicLong> counters = new EnumMap<>(Quota.Kind.class);
    for (Quota.Kind kind : Quota.Kind.values()) {
      counters.put(kind, new AtomicLong());
    }
    return counters;
  }

  AtomicLong taken(Quota.Kind kind) {
    return Objects.requireNonNull(taken.get(kind));
  }

  private boolean isIdle() {
    return connections.get() == 0 && taken.values().stream().allMatch(count -> count.get() == 0);
  }

  /** The addresses of clients that are connected or have work in progress. */
  static final class Registry {
    private final Map<String, ClientAddress> known = new ConcurrentHashMap<>();

    /** Registers a connection from an address. */
    ClientConnection connected(InetAddress from) {
      return new ClientConnection(
          known.compute(
              name(from),
              (name, before) -> {
                ClientAddress address = before == null ? new ClientAddress(name) : before;
                address.connections.incrementAndGet();
                return address;
              }));
    }

    /** Removes a connection that has ended. */
    void left(ClientConnection caller) {
      caller.left();
      caller.address().connections.decrementAndGet();
      known.forEach(
          (name, address) -> {
            if (address.isIdle()) {
              known.computeIfPresent(name, (same, now) -> now.isIdle() ? null : now);
            }
          });
    }

    private static String name(InetAddress from) {
      byte[] bytes = from.getAddress();
      return Arrays.toString(
          from instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
  }
}
