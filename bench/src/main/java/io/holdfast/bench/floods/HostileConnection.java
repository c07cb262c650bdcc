package io.holdfast.bench.floods;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** An attacker's end of a connection: it sends any bytes, and reads on request. */
final class HostileConnection implements AutoCloseable {

  /** Receives the bytes that were read. */
  @FunctionalInterface
  interface Reader {
    void read(ByteBuffer bytes) throws IOException;
  }

  private static final int CONNECT_WITHIN_MS = 5_000;
  private static final int READ_BYTES = 65_536;

  private final SocketChannel channel;
  private final Tally tally;
  private volatile boolean read;
  private volatile boolean ended;

  private HostileConnection(SocketChannel channel, Tally tally) {
    this.channel = channel;
    this.tally = tally;
  }

  /** Connects from one address to another. */
  static HostileConnection open(SocketAddress from, SocketAddress to, Tally tally)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(from);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(to, CONNECT_WITHIN_MS);
    } catch (IOException | RuntimeException e) {
      tally.refused();
      channel.close();
      throw e;
    }
    tally.opened();
    return new HostileConnection(channel, tally);
  }

  /** Begins to connect, and does not wait for it. */
  static HostileConnection begin(SocketAddress from, SocketAddress to, Tally tally)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.bind(from);
      channel.configureBlocking(false);
      channel.connect(to);
    } catch (IOException | RuntimeException e) {
      tally.refused();
      channel.close();
      throw e;
    }
    tally.opened();
    return new HostileConnection(channel, tally);
  }

  /** Finds out if it is connected by now. */
  boolean isConnected() {
    try {
      return !ended && channel.finishConnect();
    } catch (IOException e) {
      tally.refused();
      ended = true;
      return false;
    }
  }

  /** Sends them. Returns whether the connection still takes bytes. */
  boolean send(byte[] bytes) {
    return send(bytes, bytes.length);
  }

  boolean send(byte[] bytes, int count) {
    if (ended) {
      return false;
    }
    try {
      ByteBuffer out = ByteBuffer.wrap(bytes, 0, count);
      while (out.hasRemaining()) {
        tally.sent(channel.write(out));
      }
      return true;
    } catch (IOException e) {
      ended = true;
      return false;
    }
  }

  /** Reads from now on, on a thread of its own, until the connection ends. */
  void startReading(Reader reader) {
    read = true;
    Thread thread = new Thread(() -> readAll(reader), "hostile-reader");
    thread.setDaemon(true);
    thread.start();
  }

  /** Reads and forgets. */
  void startReading() {
    startReading(bytes -> {});
  }

  private void readAll(Reader reader) {
    ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
    try {
      while (channel.read(bytes) >= 0) {
        tally.received(bytes.flip().remaining());
        reader.read(bytes);
        bytes.clear();
      }
    } catch (IOException e) {
      // A reset is an end, too.
    }
    ended = true;
  }

  /** True if the other side has not closed it. Without a reader it checks the bytes that wait. */
  boolean isOpen() {
    if (!ended && !read) {
      try {
        channel.configureBlocking(false);
        if (!channel.finishConnect()) {
          return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(READ_BYTES);
        int count = channel.read(bytes);
        while (count > 0) {
          count = channel.read(bytes.clear());
        }
        ended = count < 0;
      } catch (IOException e) {
        ended = true;
      }
    }
    return !ended;
  }

  /** Closes it, in order or with a reset, as the kernel does it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Closed by the other side.
    }
    ended = true;
  }
}
