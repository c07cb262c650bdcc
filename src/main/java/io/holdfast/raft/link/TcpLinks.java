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

  private final LinkContext context;
  private final Handshake handshake;
  private final Acceptor acceptor;
  private final OpenQuestions questions;
  private final Consumer<SelectionKey> ready = TcpLinks::ready;

  private TcpLinks(LinkContext context, InetSocketAddress listen) throws IOException {
    this.context = context;
    this.handshake = new Handshake(context);
    this.acceptor = new Acceptor(context, listen, handshake);
    this.questions = new OpenQuestions(context);
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
          new LinkContext(selector, self, settings, security, events, nowMs, seed), listen);
    } catch (IOException | RuntimeException e) {
      selector.close();
      throw e;
    }
  }

  /** Numbers to watch, readable by all threads. */
  public LinkCounters counters() {
    return context.counters;
  }

  @Override
  public int port() {
    return acceptor.port();
  }

  @Override
  public void belongTo(long clusterId) {
    context.belongTo(clusterId);
  }

  @Override
  public void keep(Collection<Peer> peers) {
    context.links.keep(peers, handshake);
  }

  @Override
  public void send(Message message) {
    PeerLink link = context.links.to(message.to());
    if (link == null) {
      context.counters.countDroppedUnlinked();
    } else {
      link.send(message);
    }
  }

  @Override
  public void flush() {
    List<PeerLink> current = context.links.all();
    for (int i = 0; i < current.size(); i++) {
      current.get(i).flush();
    }
  }

  @Override
  public void poll(long timeoutMs) {
    try {
      long wait = Math.min(timeoutMs, context.alarm() - context.now());
      if (wait > 0) {
        context.selector.select(ready, wait);
      } else {
        context.selector.selectNow(ready);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    context.resolver.deliver();
    long now = context.now();
    if (now >= context.alarm()) {
      tick(now);
    }
  }

  @Override
  public void wakeup() {
    context.selector.wakeup();
  }

  @Override
  public void ask(String address, byte[] question, Consumer<Optional<byte[]>> answer) {
    questions.ask(address, question, answer);
  }

  @Override
  public void close() {
    context.close();
    acceptor.close();
    try {
      context.selector.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void tick(long now) {
    context.tick(now);
    acceptor.tick(now);
    List<PeerLink> current = context.links.all();
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
