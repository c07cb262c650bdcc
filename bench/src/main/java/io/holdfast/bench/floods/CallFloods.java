package io.holdfast.bench.floods;

import static io.holdfast.bench.floods.HostileHttp2.END_HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.HEADERS;
import static io.holdfast.bench.floods.HostileHttp2.INITIAL_WINDOW_SIZE;
import static io.holdfast.bench.floods.HostileHttp2.MAX_FRAME;

import com.google.protobuf.ByteString;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Calls whose messages are larger than they look, never end, or have answers that are not read. */
final class CallFloods {

  private static final int STREAMS = 256;
  private static final int MOST_STREAMS = 1_000;
  private static final int CONNECTIONS = 10;
  private static final int UNREAD_BYTES = 1_200_000;
  private static final int OPENS = 10_000;
  private static final int OPENS_A_CONNECTION = 90;
  private static final int METADATA_BYTES = 8_192;
  private static final String LARGE = "flood/large/";
  private static final int LARGE_LOCKS = 32;
  private static final long BETWEEN_BOMBS_MS = 200;

  private CallFloods() {}

  static List<Attack> all() {
    List<Attack> attacks = new ArrayList<>();
    attacks.add(
        Attack.plain(
            "half-open-headers",
            "10 connections, each with 1,000 calls of which only the headers come",
            CallFloods::halfOpen));
    attacks.add(
        Attack.plain(
            "half-open-bodies",
            "256 calls whose messages never end",
            siege -> endless(siege, "TryLock", 0)));
    attacks.add(
        Attack.plain(
            "slow-reader-session",
            "a session that asks for 1.2 MB of answers of 8 KiB each, and reads none",
            CallFloods::unreadSession));
    attacks.add(
        Attack.plain(
            "slow-reader-lists",
            "10 connections, each with 1,000 lists of 256 KiB that nobody reads",
            CallFloods::unreadLists));
    attacks.add(
        Attack.plain(
            "slow-reader-reflection",
            "1.2 MB of questions for descriptions that nobody reads",
            siege -> unread(siege, Messages.REFLECTION, i -> Messages.describe())));
    attacks.add(
        Attack.plain(
            "slow-reader-keepalives",
            "1.2 MB of keepalives whose answers nobody reads",
            siege -> unread(siege, Messages.LOCKS + "LeaseKeepAlive", Messages::keepAlive)));
    attacks.add(
        Attack.plain(
            "health-watches",
            "1,000 watches of the health, on ten connections",
            CallFloods::watches));
    attacks.add(Attack.plain("session-opens", "10,000 sessions, left at once", CallFloods::opens));
    attacks.add(
        bombs("unary", siege -> bomb(siege, siege.place().grpc(), Messages.LOCKS + "TryLock")));
    attacks.add(
        bombs("stream", siege -> bomb(siege, siege.place().grpc(), Messages.LOCKS + "Session")));
    attacks.add(
        bombs("health", siege -> bomb(siege, siege.place().grpc(), Messages.HEALTH + "Check")));
    attacks.add(
        bombs("reflection", siege -> bomb(siege, siege.place().grpc(), Messages.REFLECTION)));
    attacks.add(bombs("admin", siege -> bomb(siege, siege.place().admin(), Messages.MEMBER_LIST)));
    attacks.add(lengths("unary", Messages.LOCKS + "TryLock"));
    attacks.add(lengths("stream", Messages.LOCKS + "Session"));
    attacks.add(lengths("health", Messages.HEALTH + "Check"));
    attacks.add(lengths("reflection", Messages.REFLECTION));
    return attacks;
  }

  private static Attack bombs(String where, Attack.Act act) {
    return Attack.plain("gzip-" + where, "305 KB of gzip that inflate to 300 MB, 5 a second", act);
  }

  private static Attack lengths(String where, String path) {
    return Attack.plain(
        "length-" + where,
        "16 messages that say they have 2 GiB, and begin to come",
        siege -> endlessly(siege, path, 16, Integer.MAX_VALUE));
  }

  private static void halfOpen(Siege siege) throws IOException {
    byte[] headers = HeaderBlock.call(Messages.LOCKS + "TryLock").encoded();
    for (int i = 0; i < CONNECTIONS && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      for (int j = 0; j < MOST_STREAMS; j++) {
        http2.call(headers);
      }
      http2.flush();
    }
    siege.rest();
  }

  private static void endless(Siege siege, String method, int declared) throws IOException {
    endlessly(siege, Messages.LOCKS + method, STREAMS, declared);
  }

  /** Messages that say how long they are, or that they are empty and more of them come. */
  private static void endlessly(Siege siege, String path, int calls, int declared)
      throws IOException {
    byte[] headers = HeaderBlock.call(path).encoded();
    byte[] more =
        new byte[MAX_FRAME - MAX_FRAME % 5]; // zeros: empty messages, one behind the other
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2();
      int[] streams = new int[calls];
      boolean open = true;
      for (int i = 0; i < calls && open; i++) {
        streams[i] = http2.call(headers);
        open = http2.data(streams[i], Messages.lengthOf(declared), /* last= */ false);
      }
      long stalled = 0;
      while (open && stalled < HostileHttp2.STALL_MS && siege.goesOn()) {
        boolean sent = false;
        for (int stream : streams) {
          if (http2.hasWindow(stream, more.length)) {
            open &= http2.data(stream, more, /* last= */ false);
            sent = true;
          }
        }
        stalled = sent ? 0 : stalled + 1;
        if (!sent) {
          open &= http2.flush();
          siege.pause(1);
        }
      }
      http2.close();
    }
  }

  private static void bomb(Siege siege, int port, String path) throws IOException {
    byte[] headers = HeaderBlock.call(path).field("grpc-encoding", "gzip").encoded();
    byte[] bomb = Messages.bomb();
    while (siege.goesOn()) {
      HostileHttp2 http2 = siege.http2(port);
      boolean open = true;
      while (open && siege.goesOn()) {
        open = http2.data(http2.call(headers), bomb, /* last= */ true) && http2.flush();
        siege.pause(BETWEEN_BOMBS_MS);
      }
      http2.close();
    }
  }

  private static void unreadSession(Siege siege) throws IOException {
    String key = LARGE + 0;
    hold(siege, 1);
    unread(siege, Messages.LOCKS + "Session", i -> i == 0 ? Messages.open() : Messages.ask(i, key));
  }

  /** Takes locks with much to show. */
  private static void hold(Siege siege, int locks) throws IOException {
    byte[] headers = HeaderBlock.call(Messages.LOCKS + "TryLock").encoded();
    HostileHttp2 holder = siege.http2();
    for (int i = 0; i < locks; i++) {
      byte[] lock =
          Messages.of(
              LockRequest.newBuilder()
                  .setKey(LARGE + i)
                  .setHolderId("flood")
                  .setTtlMs(20_000)
                  .setMetadata(ByteString.copyFrom(new byte[METADATA_BYTES]))
                  .build());
      holder.data(holder.call(headers), lock, /* last= */ true);
    }
    holder.flush();
    siege.pause(1_000);
  }

  /** Its own windows are closed, and nothing is read; those of the node are as it says. */
  private static void unread(Siege siege, String path, IntFunction<byte[]> question)
      throws IOException {
    for (int i = 0; i < CONNECTIONS && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      http2.settings(INITIAL_WINDOW_SIZE, 0);
      int stream = http2.call(HeaderBlock.call(path).encoded());
      boolean open = true;
      for (int j = 0, sent = 0; open && sent < UNREAD_BYTES && siege.goesOn(); j++) {
        byte[] message = question.apply(j);
        sent += message.length;
        open =
            http2.awaitWindow(stream, message.length, HostileHttp2.STALL_MS)
                && http2.data(stream, message, /* last= */ false);
      }
      http2.flush();
    }
    siege.rest();
  }

  private static void unreadLists(Siege siege) throws IOException {
    hold(siege, LARGE_LOCKS);
    byte[] headers = HeaderBlock.call(Messages.LOCKS + "ListLocks").encoded();
    byte[] list = Messages.of(ListLocksRequest.newBuilder().setPrefix(LARGE).build());
    for (int i = 0; i < CONNECTIONS && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      http2.settings(INITIAL_WINDOW_SIZE, 0);
      for (int j = 0; j < MOST_STREAMS && siege.goesOn(); j++) {
        http2.data(http2.call(headers), list, /* last= */ true);
      }
      http2.flush();
    }
    siege.rest();
  }

  private static void watches(Siege siege) throws IOException {
    byte[] headers = HeaderBlock.call(Messages.HEALTH + "Watch").encoded();
    for (int i = 0; i < CONNECTIONS && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      for (int j = 0; j < MOST_STREAMS / CONNECTIONS; j++) {
        http2.data(http2.call(headers), Messages.empty(), /* last= */ true);
      }
      http2.flush();
    }
    siege.rest();
  }

  private static void opens(Siege siege) throws IOException {
    byte[] headers = HeaderBlock.call(Messages.LOCKS + "Session").encoded();
    byte[] open = Messages.open();
    for (int i = 0; i < siege.part(OPENS) && siege.goesOn(); ) {
      HostileHttp2 http2 = siege.http2();
      for (int j = 0; j < OPENS_A_CONNECTION && i < siege.part(OPENS); j++, i++) {
        http2.frame(HEADERS, END_HEADERS, http2.nextStream(), headers);
        http2.data(2 * j + 1, open, /* last= */ false);
      }
      http2.flush();
      siege.pause(20);
      http2.close();
    }
  }
}
