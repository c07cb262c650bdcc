package io.holdfast.raft.link;

import io.holdfast.raft.core.MemberId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A peer that does with its sockets exactly what a test says, and nothing else. */
final class FakePeer implements AutoCloseable {

  static final MemberId ID = new MemberId(9);

  private final ServerSocketChannel listener;
  private @Nullable SocketChannel socket;
  private @Nullable SocketChannel dialed;

  FakePeer() {
    try {
      listener = ServerSocketChannel.open();
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      listener.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Peer peer() {
    return new Peer(ID, "127.0.0.1:" + listener.socket().getLocalPort());
  }

  /** Dials a member, which admits it, and leaves that connection open until the end. */
  void dial(Peer member) {
    try {
      int colon = member.address().lastIndexOf(':');
      int port = Integer.parseInt(member.address().substring(colon + 1));
      SocketChannel dialing =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      dialed = dialing;
      Hello hello = new Hello(false, LinkWorld.CLUSTER, 0, ID, 1, member.id().value(), "fake:1");
      dialing.write(ByteBuffer.wrap(frame(GreetingCodec.encode(hello))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the next connection. Returns whether there was one. */
  boolean accept() {
    try {
      SocketChannel next = listener.accept();
      socket = next == null ? socket : next;
      return next != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void welcome() {
    write(frame(GreetingCodec.encode(new Welcome(ID, 1))));
  }

  void write(byte[] bytes) {
    try {
      connection().write(ByteBuffer.wrap(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void hangUp() {
    try {
      connection().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void stopListening() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] frame(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body, 0, body.length);
    return ByteBuffer.allocate(FrameFormat.HEADER_BYTES + body.length)
        .putInt(body.length)
        .putInt((int) crc.getValue())
        .put(body)
        .array();
  }

  private SocketChannel connection() {
    if (socket == null) {
      throw new IllegalStateException("nobody has dialed");
    }
    return socket;
  }

  @Override
  public void close() {
    stopListening();
    try {
      if (socket != null) {
        socket.close();
      }
      if (dialed != null) {
        dialed.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
