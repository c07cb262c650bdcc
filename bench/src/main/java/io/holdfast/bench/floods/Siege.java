package io.holdfast.bench.floods;

import io.holdfast.bench.cluster.NodePlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One attacker of one node, for some seconds. It has the connections that the attack opens, and
 * closes them, by which a thread that waits in one of them goes on.
 */
final class Siege implements AutoCloseable {

  private static final int MAX_CONNECTIONS = 20_000;

  private final NodePlace place;
  private final long pid;
  private final InetAddress from;
  private final int attackers;
  private final long end;
  private final Tally tally;
  private final Queue<HostileConnection> connections = new ConcurrentLinkedQueue<>();
  private int opened;
  private volatile boolean closed;

  /**
   * Begins one.
   *
   * @param from the address that its connections come from
   * @param attackers the number of attackers of the node
   */
  Siege(NodePlace place, long pid, InetAddress from, int attackers, long lastsMs, Tally tally) {
    this.place = place;
    this.pid = pid;
    this.from = from;
    this.attackers = attackers;
    this.tally = tally;
    this.end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lastsMs);
  }

  NodePlace place() {
    return place;
  }

  /** The process of the node. */
  long pid() {
    return pid;
  }

  Tally tally() {
    return tally;
  }

  /** Its share of the work of all attackers of the node. */
  int part(int ofAll) {
    return Math.max(1, ofAll / attackers);
  }

  /** Says if there is time left. */
  boolean goesOn() {
    return !closed && opened < MAX_CONNECTIONS && System.nanoTime() - end < 0;
  }

  /** Opens a connection to a port of the node, and neither sends nor reads. */
  HostileConnection connect(int port) throws IOException {
    return keep(HostileConnection.open(source(), target(port), tally));
  }

  /**
   * Starts to open such a connection, and does not wait for it: a node that accepts slowly does not
   * slow the attack.
   */
  HostileConnection begin(int port) throws IOException {
    return keep(HostileConnection.begin(source(), target(port), tally));
  }

  private InetSocketAddress source() {
    opened++;
    return new InetSocketAddress(from, 0);
  }

  private InetSocketAddress target(int port) {
    return new InetSocketAddress(place.host(), port);
  }

  private HostileConnection keep(HostileConnection connection) {
    connections.add(connection);
    if (closed) {
      connection.close();
    }
    return connection;
  }

  /** A connection that has begun as HTTP/2 does, and whose answers are read. */
  HostileHttp2 http2(int port) throws IOException {
    HostileHttp2 http2 = new HostileHttp2(this, connect(port));
    http2.begin();
    return http2;
  }

  /** The same with the clients' port. */
  HostileHttp2 http2() throws IOException {
    return http2(place.grpc());
  }

  void pause(long ms) {
    long left = end - System.nanoTime();
    if (left > 0 && !closed) {
      LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(ms)));
    }
  }

  /** Waits for the end. */
  void rest() {
    while (goesOn()) {
      pause(100);
    }
  }

  @Override
  public void close() {
    closed = true;
    tally.left(connections.stream().filter(HostileConnection::isOpen).count());
    connections.forEach(HostileConnection::close);
  }
}
