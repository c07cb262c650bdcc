package io.holdfast.raft.link;

import io.holdfast.raft.core.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The links over TCP, plain or with mutual TLS.
 *
 * <p>Each member dials every peer it keeps and sends on that connection only; it receives on those
 * that it accepted. All of it happens on the caller's thread, so that a message changes no thread
 * between the core and the kernel.
 */
public final class TcpLinks implements PeerLinks {

  private final Station station;
  private final Handshake handshake;
  private final Acceptor acceptor;
  private final OpenQuestions questions;
  private final Consumer<SelectionKey> ready = TcpLinks::ready;

  private TcpLinks(Station station, InetSocketAddress listen) throws IOException {
    this.station = station;
    this.handshake = new Handshake(station);
    this.acceptor = new Acceptor(station, listen, handshake);
    this.questions = new OpenQuestions(station);
  }

  /**
   * Begins to listen.
   *
   * @param security the keys for mutual TLS; null for plain TCP
   * @param nowMs a clock that never goes back
   * @param seed of the chance in the waits
   * @throws IOException if the address cannot be listened on
   */
  public static TcpLinks open(
      InetSocketAddress listen,
      LinkIdentity self,
      LinkSettings settings,
      @Nullable LinkSecurity security,
      LinkEvents events,
      LongSupplier nowMs,
      long seed)
      throws IOException {
    Selector selector = Selector.open();
    try {
      return new TcpLinks(
          new Station(selector, self, settings, security, events, nowMs, seed), listen);
    } catch (IOException | RuntimeException e) {
      selector.close();
      throw e;
    }
  }

  /** Numbers to watch, readable by all threads. */
  public LinkCounters counters() {
    return station.counters;
  }

  @Override
  public int port() {
    return acceptor.port();
  }

  @Override
  public void belongTo(long clusterId) {
    station.belongTo(clusterId);
  }

  @Override
  public void keep(Collection<Peer> peers) {
    station.links.keep(peers, handshake);
  }

  @Override
  public void send(Message message) {
    PeerLink link = station.links.to(message.to());
    if (link == null) {
      station.counters.countDroppedUnlinked();
    } else {
      link.send(message);
    }
  }

  @Override
  public void flush() {
    List<PeerLink> current = station.links.all();
    for (int i = 0; i < current.size(); i++) {
      current.get(i).flush();
    }
  }

  @Override
  public void poll(long timeoutMs) {
    try {
      long wait = Math.min(timeoutMs, station.alarm() - station.now());
      if (wait > 0) {
        station.selector.select(ready, wait);
      } else {
        station.selector.selectNow(ready);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    station.resolver.deliver();
    long now = station.now();
    if (now >= station.alarm()) {
      tick(now);
    }
  }

  @Override
  public void wakeup() {
    station.selector.wakeup();
  }

  @Override
  public void ask(String address, byte[] question, Consumer<Optional<byte[]>> answer) {
    questions.ask(address, question, answer);
  }

  @Override
  public void close() {
    station.close();
    acceptor.close();
    try {
      station.selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tick(long now) {
    station.tick(now);
    acceptor.tick(now);
    List<PeerLink> current = station.links.all();
    for (int i = 0; i < current.size(); i++) {
      current.get(i).tick(now);
    }
    questions.tick(now);
  }

  private static void ready(SelectionKey key) {
    if (key.isValid()) {
      ((SocketHandler) key.attachment()).ready();
    }
  }
}
