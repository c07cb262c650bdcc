package io.holdfast.bench.floods;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An attacker's end of HTTP/2: it sends any frame at any time, and keeps to the windows of the
 * other side only where it wants to.
 */
final class HostileHttp2 {

  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int WINDOW_UPDATE = 8;
  static final int CONTINUATION = 9;
  static final int END_STREAM = 1;
  static final int ACK = 1;
  static final int END_HEADERS = 4;
  static final int PRIORITY_FLAG = 0x20;
  static final int HEADER_TABLE_SIZE = 1;
  static final int INITIAL_WINDOW_SIZE = 4;
  static final int MAX_FRAME = 16_384;
  static final int MAX_WINDOW = Integer.MAX_VALUE;

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The preface, and settings without an entry. */
  static final byte[] GREETING =
      ByteBuffer.allocate(PREFACE.length + 9).put(PREFACE).putInt(SETTINGS).array();

  private static final int USUAL_WINDOW = 65_535;
  private static final int FLUSH_BYTES = 32_768;
  private static final int CODE_AND_STREAM = 8;

  /** Nobody waits longer for a window. */
  static final long STALL_MS = 300;

  private final Siege siege;
  private final HostileConnection connection;
  private final ByteBuffer out = ByteBuffer.allocate(FLUSH_BYTES + 2 * MAX_FRAME);
  private final ByteBuffer in = ByteBuffer.allocate(1 << 20);
  private final AtomicLong window = new AtomicLong(USUAL_WINDOW);
  private final Map<Integer, AtomicLong> windows = new ConcurrentHashMap<>();
  private final Set<Integer> over = ConcurrentHashMap.newKeySet();
  private volatile int streamWindow = USUAL_WINDOW;
  private volatile boolean mute;
  private int next = 1;

  HostileHttp2(Siege siege, HostileConnection connection) {
    this.siege = siege;
    this.connection = connection;
  }

  /** Begins, takes all that it is sent, and reads it. */
  void begin() {
    connection.startReading(this::read);
    greet(INITIAL_WINDOW_SIZE, MAX_WINDOW);
    frame(WINDOW_UPDATE, 0, 0, number(MAX_WINDOW - USUAL_WINDOW));
  }

  /** Begins, and reads, but answers nothing: not within a header block, for example. */
  static HostileHttp2 mute(Siege siege, int port) throws IOException {
    HostileHttp2 http2 = new HostileHttp2(siege, siege.connect(port));
    http2.mute = true;
    http2.begin();
    return http2;
  }

  private void greet(int... settings) {
    connection.send(PREFACE);
    settings(settings);
    flush();
  }

  /** The number of the next stream. */
  int nextStream() {
    int stream = next;
    next += 2;
    return stream;
  }

  /** Sends the headers of a call. Returns its stream. */
  int call(byte[] headers) {
    int stream = nextStream();
    frame(HEADERS, END_HEADERS, stream, headers);
    return stream;
  }

  /** Sends a frame. Returns whether the connection still takes bytes. */
  synchronized boolean frame(int type, int flags, int stream, byte[] payload) {
    out.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    return out.position() < FLUSH_BYTES || flush();
  }

  /** Sends settings, each an id and a value. */
  boolean settings(int... settings) {
    ByteBuffer payload = ByteBuffer.allocate(settings.length / 2 * 6);
    for (int i = 0; i < settings.length; i += 2) {
      payload.putShort((short) settings[i]).putInt(settings[i + 1]);
    }
    return frame(SETTINGS, 0, 0, payload.array());
  }

  boolean reset(int stream) {
    return frame(RST_STREAM, 0, stream, number(8));
  }

  /**
   * Sends bytes of a call as the windows of the other side allow, until that ends the call. Returns
   * whether the connection is good for more.
   */
  boolean data(int stream, byte[] bytes, boolean last) {
    int sent = 0;
    do {
      int size = Math.min(MAX_FRAME, bytes.length - sent);
      if (over.contains(stream)) {
        return flush();
      } else if (!awaitWindow(stream, size, STALL_MS)) {
        return over.contains(stream) && isOpen();
      }
      window.addAndGet(-size);
      windowOf(stream).addAndGet(-size);
      byte[] part = new byte[size];
      System.arraycopy(bytes, sent, part, 0, size);
      sent += size;
      if (!frame(DATA, last && sent == bytes.length ? END_STREAM : 0, stream, part)) {
        return false;
      }
    } while (sent < bytes.length);
    return true;
  }

  /** Says if so many bytes may be sent now on that stream, which the other side has not ended. */
  boolean hasWindow(int stream, int size) {
    return !over.contains(stream)
        && window.get() >= size
        && windowOf(stream).get() + streamWindow >= size;
  }

  /** Waits until so many bytes may be sent; false if that does not come in time. */
  boolean awaitWindow(int stream, int size, long withinMs) {
    long waited = 0;
    while (!hasWindow(stream, size)) {
      if (over.contains(stream) || waited++ >= withinMs || !flush() || !siege.goesOn()) {
        return false;
      }
      siege.pause(1);
    }
    return true;
  }

  /** Beyond the initial window of each stream. */
  private AtomicLong windowOf(int stream) {
    return windows.computeIfAbsent(stream, first -> new AtomicLong());
  }

  synchronized boolean flush() {
    boolean open = connection.send(out.array(), out.position());
    out.clear();
    return open;
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  void close() {
    flush();
    connection.close();
  }

  private void read(ByteBuffer bytes) {
    in.put(bytes).flip();
    while (in.remaining() >= 9) {
      int length = in.getInt(in.position()) >>> 8;
      if (in.remaining() < 9 + length) {
        break;
      }
      int type = in.get(in.position() + 3);
      int flags = in.get(in.position() + 4);
      int stream = in.getInt(in.position() + 5);
      judge(type, flags, stream, in.slice(in.position() + 9, length));
      in.position(in.position() + 9 + length);
    }
    in.compact();
  }

  private void judge(int type, int flags, int stream, ByteBuffer payload) {
    if (type == SETTINGS && flags != ACK) {
      while (payload.remaining() >= 6) {
        if (payload.getShort() == INITIAL_WINDOW_SIZE) {
          streamWindow = payload.getInt();
        } else {
          payload.getInt();
        }
      }
      answer(SETTINGS, new byte[0]);
    } else if (type == PING && flags != ACK) {
      byte[] opaque = new byte[payload.remaining()];
      payload.get(opaque);
      answer(PING, opaque);
    } else if (type == WINDOW_UPDATE) {
      (stream == 0 ? window : windowOf(stream)).addAndGet(payload.getInt());
    } else if (type == RST_STREAM) {
      ended(stream);
      siege.tally().count("RST " + payload.getInt());
    } else if (type == GOAWAY && payload.remaining() >= CODE_AND_STREAM) {
      String code = "GOAWAY " + payload.getInt(4);
      byte[] debug = new byte[payload.remaining() - CODE_AND_STREAM];
      payload.position(CODE_AND_STREAM).get(debug);
      siege.tally().count((code + " " + new String(debug, StandardCharsets.UTF_8)).strip());
    } else if (type == HEADERS && (flags & END_STREAM) != 0) {
      ended(stream);
      siege.tally().count("calls ended by the node");
    }
  }

  private void ended(int stream) {
    over.add(stream);
    windows.remove(stream);
  }

  private void answer(int type, byte[] payload) {
    if (!mute) {
      frame(type, ACK, 0, payload);
    }
  }

  /** A number as the payload of a frame. */
  static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }
}
