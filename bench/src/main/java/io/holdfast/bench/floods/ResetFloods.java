package io.holdfast.bench.floods;

import static io.holdfast.bench.floods.HostileHttp2.DATA;
import static io.holdfast.bench.floods.HostileHttp2.END_HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.END_STREAM;
import static io.holdfast.bench.floods.HostileHttp2.HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.MAX_WINDOW;
import static io.holdfast.bench.floods.HostileHttp2.PRIORITY_FLAG;
import static io.holdfast.bench.floods.HostileHttp2.WINDOW_UPDATE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntFunction;

/** Calls that are gone as soon as they have begun, by the client's word or the node's. */
final class ResetFloods {

  /** So many at once do not end a connection, if it goes on with 200 a second. */
  private static final int BURST = 1_990;

  private static final long EACH_MS = 5;
  private static final int SLOW_ONES = 20;
  private static final HeaderBlock TRY_LOCK = HeaderBlock.call(Messages.LOCKS + "TryLock");
  private static final byte[] CALL = TRY_LOCK.encoded();
  private static final byte[] WAIT = HeaderBlock.call(Messages.LOCKS + "Lock").encoded();

  private ResetFloods() {}

  static List<Attack> all() {
    return List.of(
        Attack.plain(
            "reset-same-key",
            "requests for one lock, reset at once: 2,000 in a burst, then 200 a second",
            siege -> rapid(siege, CALL, i -> Messages.lock("flood/one", 0))),
        Attack.plain(
            "reset-new-keys",
            "the same, each for a lock of its own",
            siege -> rapid(siege, CALL, i -> Messages.lock("flood/" + System.nanoTime(), 0))),
        Attack.plain(
            "reset-waiters",
            "the same, all wait in one queue",
            siege -> rapid(siege, WAIT, i -> Messages.lock("flood/queue", 60_000))),
        provoked("reset-window", "a window of more than 2 GiB", ResetFloods::overflow),
        provoked("reset-zero", "a window that grows by nothing", ResetFloods::nothing),
        provoked("reset-late-data", "DATA behind the end of a call", ResetFloods::lateData),
        provoked("reset-length", "a content-length that is not true", ResetFloods::wrongLength),
        provoked("reset-header", "a header that HTTP/2 forbids", ResetFloods::badHeader),
        provoked("reset-self", "a call that depends on itself", ResetFloods::dependsOnItself),
        provoked(
            "reset-surplus", "more calls at a time than are taken", http2 -> http2.call(WAIT)));
  }

  private static void rapid(Siege siege, byte[] headers, IntFunction<byte[]> message)
      throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      boolean open = true;
      for (int i = 0; open && i < BURST + SLOW_ONES && siege.goesOn(); i++) {
        int stream = http2.call(headers);
        open = http2.data(stream, message.apply(i), /* last= */ true) && http2.reset(stream);
        if (i >= BURST) {
          open &= http2.flush();
          siege.pause(EACH_MS);
        }
      }
      http2.close();
    }
  }

  @FunctionalInterface
  private interface Provocation {
    void on(HostileHttp2 http2);
  }

  private static Attack provoked(String name, String what, Provocation provocation) {
    return Attack.plain(
        name, "calls that the node has to reset: " + what, siege -> provoke(siege, provocation));
  }

  private static void provoke(Siege siege, Provocation provocation) throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      boolean open = true;
      for (int i = 0; open && i < BURST + SLOW_ONES && siege.goesOn(); i++) {
        provocation.on(http2);
        open = http2.isOpen();
        if (i >= BURST) {
          open &= http2.flush();
          siege.pause(EACH_MS);
        }
      }
      siege.pause(EACH_MS);
      http2.close();
    }
  }

  private static void overflow(HostileHttp2 http2) {
    http2.frame(WINDOW_UPDATE, 0, http2.call(CALL), HostileHttp2.number(MAX_WINDOW));
  }

  private static void nothing(HostileHttp2 http2) {
    http2.frame(WINDOW_UPDATE, 0, http2.call(CALL), HostileHttp2.number(0));
  }

  private static void lateData(HostileHttp2 http2) {
    int stream = http2.nextStream();
    http2.frame(HEADERS, END_HEADERS | END_STREAM, stream, CALL);
    http2.frame(DATA, END_STREAM, stream, Messages.empty());
  }

  private static void wrongLength(HostileHttp2 http2) {
    byte[] headers =
        HeaderBlock.call(Messages.LOCKS + "TryLock").field("content-length", "3").encoded();
    http2.frame(DATA, END_STREAM, http2.call(headers), Messages.empty());
  }

  private static void badHeader(HostileHttp2 http2) {
    byte[] headers =
        HeaderBlock.call(Messages.LOCKS + "TryLock").field("connection", "close").encoded();
    http2.frame(HEADERS, END_HEADERS | END_STREAM, http2.nextStream(), headers);
  }

  private static void dependsOnItself(HostileHttp2 http2) {
    int stream = http2.nextStream();
    byte[] headers =
        ByteBuffer.allocate(5 + CALL.length).putInt(stream).put((byte) 0).put(CALL).array();
    http2.frame(HEADERS, END_HEADERS | END_STREAM | PRIORITY_FLAG, stream, headers);
  }
}
