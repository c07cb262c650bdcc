package io.holdfast.raft.link;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state that all connections of one member share. */
final class LinkContext {

  /** A time that never comes, small enough to add to. */
  static final long NEVER = Long.MAX_VALUE / 2;

  private static final Logger LOG = LoggerFactory.getLogger(LinkContext.class);
  private static final long WARNING_EVERY_MS = 10_000;

  final Selector selector;
  final LinkIdentity self;
  final LinkSettings settings;
  final LinkEvents events;
  final LinkCounters counters = new LinkCounters();
  final ResolverThread resolver;
  final SplittableRandom random;

  final LinkTable links = new LinkTable(this);

  private final @Nullable LinkSecurity security;
  private final LongSupplier nowMs;
  private final List<Connection> connections = new ArrayList<>();
  private long frames;
  private long nextWarningMs;
  private long cluster;
  private long alarm = NEVER;

  LinkContext(
      Selector selector,
      LinkIdentity self,
      LinkSettings settings,
      @Nullable LinkSecurity security,
      LinkEvents events,
      LongSupplier nowMs,
      long seed) {
    this.selector = selector;
    this.self = self;
    this.settings = settings;
    this.security = security;
    this.events = events;
    this.nowMs = nowMs;
    this.random = new SplittableRandom(seed);
    this.resolver = new ResolverThread(selector::wakeup);
  }

  long now() {
    return nowMs.getAsLong();
  }

  /** The cluster this member belongs to; 0 if to none yet. */
  long cluster() {
    return cluster;
  }

  void belongTo(long clusterId) {
    cluster = clusterId;
    wakeBy(now());
  }

  /** Asks for a tick at this time, or before. */
  void wakeBy(long atMs) {
    alarm = Math.min(alarm, atMs);
  }

  /** The time for which the next tick was asked. */
  long alarm() {
    return alarm;
  }

  /** Gives all connections the time. They ask for their next ticks anew. */
  void tick(long now) {
    alarm = NEVER;
    // A copy: connections end, and others with them, while they look.
    for (Connection connection : List.copyOf(connections)) {
      connection.tick(now);
    }
  }

  void register(Connection connection) {
    connections.add(connection);
  }

  void forget(Connection connection) {
    connections.remove(connection);
  }

  /** Numbers the frames of all connections. */
  long nextFrame() {
    return ++frames;
  }

  /**
   * Makes room for what a connection reads next: first unused room of others, then that of the
   * connections that have waited longest for the rest of their frames, which may be itself.
   */
  void makeRoom(Connection growing) {
    long wanted = growing.input.growth();
    if (wanted == 0 || largeInputs() + wanted <= settings.maxInputBytes()) {
      return;
    }
    connections.forEach(connection -> connection.input.shrink());
    while (!growing.isOver() && largeInputs() + wanted > settings.maxInputBytes()) {
      Connection slowest = growing;
      for (Connection other : connections) {
        if (other.input.large() > 0 && other.lastWhole() < slowest.lastWhole()) {
          slowest = other;
        }
      }
      if (now() >= nextWarningMs) {
        nextWarningMs = now() + WARNING_EVERY_MS;
        LOG.warn(
            "ended the link that waits longest for a whole frame: the others need room, of [{}]"
                + " bytes",
            settings.maxInputBytes());
      }
      slowest.end(LinkEnding.CLOSED, "there is no room for the rest of its frame");
    }
  }

  private long largeInputs() {
    long bytes = 0;
    for (Connection connection : connections) {
      bytes += connection.input.large();
    }
    return bytes;
  }

  void close() {
    for (Connection connection : List.copyOf(connections)) {
      connection.discard();
    }
    resolver.close();
  }

  void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    if (settings.socketBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, settings.socketBufferBytes());
      channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.socketBufferBytes());
    }
  }

  /**
   * The wire of a channel that is connected.
   *
   * @param dialed the address that was dialed; null if the connection was accepted
   * @param resume is called when the wire can go on after it had to wait for no socket
   */
  Wire wire(SocketChannel channel, @Nullable String dialed, Runnable resume) throws IOException {
    return security == null
        ? new PlainWire(channel)
        : new TlsWire(
            channel,
            dialed == null ? security.accepting() : security.dialing(dialed),
            resolver,
            resume);
  }
}
