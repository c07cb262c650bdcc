package io.holdfast.grpc.guard;

import akka.http.javadsl.model.AttributeKey;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connection of a client that sends requests, with the amounts that it has taken of the node's
 * quotas.
 */
public final class ClientConnection {

  /** The attribute of a request that has its caller. */
  public static final AttributeKey<ClientConnection> KEY =
      AttributeKey.create("caller", ClientConnection.class);

  private static final AtomicLong UNKNOWN = new AtomicLong();

  private final ClientAddress address;
  private final Map<Quota.Kind, AtomicLong> taken = ClientAddress.counters();
  private volatile boolean connected = true;

  ClientConnection(ClientAddress address) {
    this.address = address;
  }

  /** Returns an unknown caller: not connected, and with an address of its own. */
  public static ClientConnection unknown() {
    ClientConnection caller =
        new ClientConnection(new ClientAddress("unknown " + UNKNOWN.incrementAndGet()));
    caller.left();
    return caller;
  }

  ClientAddress address() {
    return address;
  }

  AtomicLong taken(Quota.Kind kind) {
    return Objects.requireNonNull(taken.get(kind));
  }

  /** Returns the name of its network address, which all its connections share, later ones too. */
  public String network() {
    return address.name();
  }

  void left() {
    connected = false;
  }

  /** True while the connection is open. */
  public boolean isConnected() {
    return connected;
  }
}
