package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.SocketFactory;

/** A client's end of a connection that sends whatever bytes it likes, and reads all it gets. */
final class RawConnection implements AutoCloseable {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int KEPT = 1_000; // of what is read, the end

  private final Socket socket;
  private final OutputStream out;
  private volatile String lastRead = "";
  private volatile boolean ended;

  private RawConnection(SocketFactory sockets, String address) {
    this(sockets, address, "0.0.0.0");
  }

  private RawConnection(SocketFactory sockets, String address, String from) {
    try {
      int colon = address.lastIndexOf(':');
      socket =
          sockets.createSocket(
              address.substring(0, colon),
              Integer.parseInt(address.substring(colon + 1)),
              InetAddress.getByName(from),
              0);
      out = new BufferedOutputStream(socket.getOutputStream(), 65_536);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread reader = new Thread(this::read, "raw-reader");
    reader.setDaemon(true);
    reader.start();
  }

  /** A connection on which nothing was sent. */
  static RawConnection silent(String address) {
    return new RawConnection(SocketFactory.getDefault(), address);
  }

  /** A connection that has begun as HTTP/2 does. */
  static RawConnection http2(String address) {
    return http2(SocketFactory.getDefault(), address);
  }

  /** The same, from an address of this machine. */
  static RawConnection http2From(String from, String address) {
    return begun(new RawConnection(SocketFactory.getDefault(), address, from));
  }

  /** The same, over sockets of some kind. */
  static RawConnection http2(SocketFactory sockets, String address) {
    return begun(new RawConnection(sockets, address));
  }

  private static RawConnection begun(RawConnection connection) {
    connection.send(PREFACE.getBytes(StandardCharsets.US_ASCII));
    connection.frame(SETTINGS, 0, 0, new byte[0]);
    return connection;
  }

  /** The headers of a call to the lock service, as HPACK without any table. */
  static byte[] headers() {
    return headers("/holdfast.v1.LockService/TryLock");
  }

  /** The headers of a call by its path. */
  static byte[] headers(String path) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 0x04}); // POST, http, a path
    text(block, path);
    block.write(0x01); // an authority
    text(block, "localhost");
    block.writeBytes(new byte[] {0x0F, 0x10}); // a content type
    text(block, "application/grpc");
    block.write(0x00);
    text(block, "te");
    text(block, "trailers");
    return block.toByteArray();
  }

  /** Sends a frame. Returns whether the connection still takes bytes. */
  boolean frame(int type, int flags, int stream, byte[] payload) {
    return send(
            ByteBuffer.allocate(9)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .array())
        && send(payload);
  }

  boolean send(byte[] bytes) {
    try {
      out.write(bytes);
      return !ended;
    } catch (IOException e) {
      return false;
    }
  }

  void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      ended = true;
    }
  }

  /** The end of what the other side has said. */
  String lastRead() {
    return lastRead;
  }

  /** Waits until the other side has closed, and returns the end of what it had said. */
  String awaitEnd() {
    flush();
    eventually("the connection is closed", Duration.ofSeconds(20), () -> ended, end -> end);
    return lastRead;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Closed by the other side.
    }
  }

  private void read() {
    byte[] bytes = new byte[65_536];
    try (InputStream in = socket.getInputStream()) {
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        String all = lastRead + new String(bytes, 0, read, StandardCharsets.ISO_8859_1);
        lastRead = all.substring(Math.max(0, all.length() - KEPT));
      }
    } catch (IOException e) {
      // A reset is an end, too.
    }
    ended = true;
  }

  private static void text(ByteArrayOutputStream block, String text) {
    block.write(text.length());
    block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }
}
