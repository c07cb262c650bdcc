package io.holdfast.grpc.guard;

import akka.http.javadsl.model.AttributeKey;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/** The one whose connection a request came by. */
public final class Caller {

  /** Where a request has it. */
  public static final AttributeKey<Caller> KEY = AttributeKey.create("caller", Caller.class);

  private static final AtomicLong UNKNOWN = new AtomicLong();

  private final Address address;
  private final Map<Quota.Kind, AtomicLong> taken = Address.counters();
  private volatile boolean connected = true;

  Caller(Address address) {
    this.address = address;
  }

  /** One of whom nothing is known: it is taken as gone, and shares nothing with anybody. */
  public static Caller unknown() {
    Caller caller = new Caller(new Address("unknown " + UNKNOWN.incrementAndGet()));
    caller.left();
    return caller;
  }

  Address address() {
    return address;
  }

  AtomicLong taken(Quota.Kind kind) {
    return Objects.requireNonNull(taken.get(kind));
  }

  /** The name of its network address, which all its connections share, later ones too. */
  public String network() {
    return address.name();
  }

  void left() {
    connected = false;
  }

  /** Whether its connection stands. */
  public boolean isConnected() {
    return connected;
  }
}
