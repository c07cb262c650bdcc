package io.holdfast.e2e;

import static io.holdfast.e2e.RawConnection.DATA;
import static io.holdfast.e2e.RawConnection.END_HEADERS;
import static io.holdfast.e2e.RawConnection.END_STREAM;
import static io.holdfast.e2e.RawConnection.HEADERS;
import static io.holdfast.e2e.RawConnection.RST_STREAM;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls for locks that are cancelled at once, by one connection after the other: their work is
 * done, and somebody whose session lives by its keepalives keeps it.
 */
class RapidResetsTest {

  private static final Duration FOR = Duration.ofSeconds(10);
  private static final long TTL_MS = 10_000;
  private static final long WARM_UP = 300;
  private static final int BURST = 2_000;
  private static final String ELSEWHERE = "127.0.0.2";

  @TempDir private static Path folder;

  @Test
  void rapid_resets_of_new_locks_end_no_session_of_others() {
    AtomicBoolean over = new AtomicBoolean();
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      ManagedChannel channel = node.connect();
      SessionUnderTest session =
          SessionUnderTest.opening(channel, SessionOpen.newBuilder().setTtlMs(TTL_MS).build());
      session.opened();
      session.send(SessionUnderTest.lock(1, "kept", "bystander", 0));
      assertTrue(session.answer(1).getLock().getAcquired());
      warmUp(session);
      Thread flood = new Thread(() -> flood(node.grpcAddress(), over), "flood");
      flood.start();
      long number = WARM_UP + 1;
      try {
        long end = System.nanoTime() + FOR.toNanos();
        while (System.nanoTime() - end < 0) {
          number++;
          long sent = System.nanoTime();
          session.send(
              SessionRequest.newBuilder()
                  .setKeepAliveNumber(number)
                  .addOperations(SessionUnderTest.lock(number, "own" + number, "bystander", 0))
                  .build());
          while (!has(session, number)) {
            if (session.isEnded()) {
              throw new AssertionError("the bystander's stream ended: " + session.ended());
            }
            assertTrue(System.nanoTime() - sent < 60e9, "an answer");
            LockSupport.parkNanos(1_000_000);
          }
          LockSupport.parkNanos(50_000_000);
        }
      } finally {
        over.set(true);
      }
      session.send(
          SessionUnderTest.unlock(
              number + 1, "kept", session.answer(1).getLock().getFencingToken()));
      assertTrue(session.answer(number + 1).getUnlock().getReleased());
      channel.shutdownNow();
      assertTrue(node.isAlive());
      try {
        flood.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Each shard is somewhere, and the code has run. */
  private static void warmUp(SessionUnderTest session) {
    for (long number = 2; number <= WARM_UP; number++) {
      session.send(
          SessionRequest.newBuilder()
              .setKeepAliveNumber(number)
              .addOperations(SessionUnderTest.lock(number, "own" + number, "bystander", 0))
              .build());
      assertTrue(session.answer(number).getLock().getAcquired());
    }
  }

  private static boolean has(SessionUnderTest session, long number) {
    return session.answers(number).findAny().isPresent();
  }

  private static void flood(String address, AtomicBoolean over) {
    byte[] headers = RawConnection.headers();
    long key = 0;
    RawConnection before = RawConnection.http2From(ELSEWHERE, address);
    while (!over.get()) {
      RawConnection connection = RawConnection.http2From(ELSEWHERE, address);
      boolean open = true;
      for (int i = 0; i < BURST - 1 && open && !over.get(); i++) {
        byte[] message =
            LockRequest.newBuilder()
                .setKey("flood" + key++)
                .setHolderId("f")
                .setTtlMs(1_000)
                .build()
                .toByteArray();
        byte[] data =
            ByteBuffer.allocate(5 + message.length)
                .put((byte) 0)
                .putInt(message.length)
                .put(message)
                .array();
        connection.frame(HEADERS, END_HEADERS, 2 * i + 1, headers);
        connection.frame(DATA, END_STREAM, 2 * i + 1, data);
        open = connection.frame(RST_STREAM, 0, 2 * i + 1, new byte[] {0, 0, 0, 8});
      }
      connection.flush();
      before.close();
      before = connection;
    }
    before.close();
  }
}
