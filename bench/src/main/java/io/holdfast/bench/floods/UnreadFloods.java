package io.holdfast.bench.floods;

import static io.holdfast.bench.floods.HostileHttp2.INITIAL_WINDOW_SIZE;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchRequest;
import java.io.IOException;
import java.util.List;

/** Answers of every kind, in large numbers, to a client whose windows are closed. */
final class UnreadFloods {

  private static final int CONNECTIONS = 40;
  private static final int CALLS = 1_000;
  private static final int STREAMS = 100;
  private static final int OPERATIONS = 400;
  private static final int METADATA_BYTES = 8_192;
  private static final int HELD = 3;
  private static final int MOST_HELD = 40;
  private static final String PREFIX = "flood/unread/";
  private static final String LOCK = PREFIX + 0;
  private static final long WAIT_MS = 3_000;

  private UnreadFloods() {}

  static List<Attack> all() {
    return List.of(
        calls("pages", "lists of 24 KiB", "ListLocks", list()),
        calls("refusals", "refusals of 8 KiB by TryLock", "TryLock", lock(0)),
        calls("waits", "refusals of 8 KiB after waiting together", "Lock", lock(WAIT_MS)),
        calls("small", "answers of no size", "GetLock", get()),
        attack(
            "descriptions",
            CALLS + " questions for descriptions",
            siege -> ask(siege, CALLS, Messages.REFLECTION, Messages.describe(), true)),
        streams("watches", "watches of changes of 8 KiB", "Watch", watch()),
        streams("locks", "sessions that are refused 400 locks of 8 KiB each", "Session", locks()),
        streams("releases", "sessions that are refused 400 releases", "Session", releases()));
  }

  private static Attack calls(String name, String what, String method, MessageLite asked) {
    return attack(
        name,
        CALLS + " " + what,
        siege -> ask(siege, CALLS, Messages.LOCKS + method, Messages.of(asked), true));
  }

  private static Attack streams(String name, String what, String method, MessageLite asked) {
    return attack(
        name,
        STREAMS + " " + what,
        siege -> ask(siege, STREAMS, Messages.LOCKS + method, Messages.of(asked), false));
  }

  private static Attack attack(String name, String what, Attack.Act act) {
    return Attack.plain(
        "unread-" + name,
        "%d connections, each with %s that nobody reads".formatted(CONNECTIONS, what),
        siege -> {
          hold(siege, 0, HELD);
          act.on(siege);
          hold(siege, HELD, MOST_HELD); // of which watches tell
          siege.rest();
        });
  }

  /** Takes locks with much to show. */
  private static void hold(Siege siege, int from, int to) throws IOException {
    byte[] headers = HeaderBlock.call(Messages.LOCKS + "TryLock").encoded();
    HostileHttp2 holder = siege.http2();
    for (int i = from; i < to; i++) {
      byte[] lock =
          Messages.of(
              LockRequest.newBuilder()
                  .setKey(PREFIX + i)
                  .setHolderId("flood")
                  .setTtlMs(20_000)
                  .setMetadata(ByteString.copyFrom(new byte[METADATA_BYTES]))
                  .build());
      holder.data(holder.call(headers), lock, /* last= */ true);
    }
    holder.flush();
    siege.pause(1_000);
  }

  private static void ask(Siege siege, int calls, String path, byte[] message, boolean last)
      throws IOException {
    byte[] headers = HeaderBlock.call(path).encoded();
    for (int i = 0; i < siege.part(CONNECTIONS) && siege.goesOn(); i++) {
      HostileHttp2 http2 = siege.http2();
      http2.settings(INITIAL_WINDOW_SIZE, 0);
      for (int j = 0; j < calls && siege.goesOn(); j++) {
        http2.data(http2.call(headers), message, last);
      }
      http2.flush();
    }
  }

  private static MessageLite list() {
    return ListLocksRequest.newBuilder().setPrefix(PREFIX).build();
  }

  private static MessageLite get() {
    return GetLockRequest.newBuilder().setKey("nobody's").build();
  }

  private static LockRequest lock(long timeoutMs) {
    return LockRequest.newBuilder()
        .setKey(LOCK)
        .setHolderId("refused")
        .setTtlMs(5_000)
        .setTimeoutMs(timeoutMs)
        .build();
  }

  private static MessageLite watch() {
    return WatchRequest.newBuilder().setCreate(WatchCreate.newBuilder().setPrefix(PREFIX)).build();
  }

  private static MessageLite locks() {
    SessionRequest.Builder frame = opening();
    for (int i = 1; i <= OPERATIONS; i++) {
      LockRequest asked = LockRequest.newBuilder().setKey(LOCK).setHolderId("h" + i).build();
      frame.addOperations(Operation.newBuilder().setNumber(i).setLock(asked));
    }
    return frame.build();
  }

  private static MessageLite releases() {
    SessionRequest.Builder frame = opening();
    for (int i = 1; i <= OPERATIONS; i++) {
      UnlockRequest asked = UnlockRequest.newBuilder().setKey(LOCK).setFencingToken(1).build();
      frame.addOperations(Operation.newBuilder().setNumber(i).setUnlock(asked));
    }
    return frame.build();
  }

  private static SessionRequest.Builder opening() {
    return SessionRequest.newBuilder().setOpen(SessionOpen.newBuilder().setTtlMs(1_000));
  }
}
