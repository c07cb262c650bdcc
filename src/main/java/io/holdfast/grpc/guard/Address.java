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

/** What all connections from one network address have taken of the node. */
final class Address {

  /** The part of an IPv6 address that a network is given: below it, one host may have them all. */
  private static final int NETWORK_BYTES = 8;

  private final Map<Quota.Kind, AtomicLong> taken = counters();
  private final AtomicInteger connections = new AtomicInteger();
  private final String name;

  Address(String name) {
    this.name = name;
  }

  String name() {
    return name;
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

  /** The addresses from which somebody is connected, or has work under way. */
  static final class Book {
    private final Map<String, Address> known = new ConcurrentHashMap<>();

    /** Somebody connects from there. */
    Caller connected(InetAddress from) {
      return new Caller(
          known.compute(
              name(from),
              (name, before) -> {
                Address address = before == null ? new Address(name) : before;
                address.connections.incrementAndGet();
                return address;
              }));
    }

    /** The connection has ended. */
    void left(Caller caller) {
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
