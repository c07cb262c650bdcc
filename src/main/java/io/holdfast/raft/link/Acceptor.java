package io.holdfast.raft.link;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections at the port of the links. */
final class Acceptor implements SocketHandler {

  private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);

  /** The pause after the kernel could not accept a connection. */
  private static final long PAUSE_MS = 100;

  private final LinkContext context;
  private final Handshake handshake;
  private final ServerSocketChannel channel;
  private final SelectionKey key;
  private long pausedUntil = LinkContext.NEVER;

  Acceptor(LinkContext context, SocketAddress address, Handshake handshake) throws IOException {
    this.context = context;
    this.handshake = handshake;
    this.channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      if (context.settings.socketBufferBytes() > 0) {
        channel.setOption(StandardSocketOptions.SO_RCVBUF, context.settings.socketBufferBytes());
      }
      channel.bind(address);
      key = channel.register(context.selector, SelectionKey.OP_ACCEPT, this);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  int port() {
    return channel.socket().getLocalPort();
  }

  @Override
  public void ready() {
    try {
      SocketChannel accepted = channel.accept();
      while (accepted != null) {
        begin(accepted);
        accepted = channel.accept();
      }
    } catch (IOException e) {
      LOG.warn("no connection can be accepted", e);
      key.interestOps(0);
      pausedUntil = context.now() + PAUSE_MS;
      context.wakeBy(pausedUntil);
    }
  }

  void tick(long now) {
    if (now >= pausedUntil) {
      pausedUntil = LinkContext.NEVER;
      key.interestOps(SelectionKey.OP_ACCEPT);
    }
    context.wakeBy(pausedUntil);
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("the port was not closed in order", e);
    }
  }

  private void begin(SocketChannel accepted) {
    try {
      new Inbound(context, accepted, handshake).begin();
    } catch (IOException e) {
      LOG.debug("an accepted connection is closed already", e);
    }
  }
}
