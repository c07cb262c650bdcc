package io.holdfast.e2e;

import static io.holdfast.e2e.RawConnection.DATA;
import static io.holdfast.e2e.RawConnection.END_HEADERS;
import static io.holdfast.e2e.RawConnection.END_STREAM;
import static io.holdfast.e2e.RawConnection.HEADERS;
import static io.holdfast.e2e.RawConnection.SETTINGS;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1alpha.ServerReflectionRequest;
import io.holdfast.v1.GetLockRequest;
import io.holdfast.v1.ListLocksRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.Operation;
import io.holdfast.v1.SessionOpen;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.UnlockRequest;
import io.holdfast.v1.WatchCreate;
import io.holdfast.v1.WatchRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Answers that nobody reads, none of them large: a node of 256 MB refuses and lives, and serves a
 * client from elsewhere meanwhile.
 */
class UnreadAnswersProof {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final int CALLS = 1_000;
  private static final int STREAMS = 100;
  private static final int AT_ONCE = 250;
  private static final String ATTACKER = "127.0.0.2";
  private static final String LOCKS = "/holdfast.v1.LockService/";
  private static final byte[] NO_WINDOW = {0, 4, 0, 0, 0, 0};
  private static final ByteString MOST = ByteString.copyFrom(new byte[8_192]);

  @TempDir private static Path folder;
  private static NodeUnderTest node;
  private static ManagedChannel channel;
  private final List<RawConnection> connections = new ArrayList<>();

  @BeforeAll
  static void start() {
    node = NodeUnderTest.serving(folder);
    channel = node.connect();
    for (int i = 0; i < 3; i++) {
      assertTrue(
          locks().tryLock(Asked.lock("page/" + i, "h").setMetadata(MOST).build()).getAcquired());
    }
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    node.close();
  }

  /** Whoever comes from there next finds room: an answer says its key, and a refusal does not. */
  @AfterEach
  void leave() {
    connections.forEach(RawConnection::close);
    byte[] ask = message(Asked.lock("asked again", "h").build());
    try (RawConnection next = RawConnection.http2From(ATTACKER, node.grpcAddress())) {
      PrimitiveIterator.OfInt streams = IntStream.iterate(1, stream -> stream + 2).iterator();
      eventually(
          "the share is free",
          WITHIN,
          () -> {
            int stream = streams.nextInt();
            next.frame(HEADERS, END_HEADERS, stream, RawConnection.headers());
            data(next, END_STREAM, stream, ask);
            next.flush();
            return next.lastRead();
          },
          said -> said.contains("asked again"));
    }
  }

  @Test
  void short_pages_that_nobody_reads_do_not_fill_the_node() {
    calls(24, LOCKS + "ListLocks", ListLocksRequest.newBuilder().setPrefix("page/").build());
  }

  @Test
  void refusals_that_nobody_reads_do_not_fill_the_node() {
    calls(48, LOCKS + "TryLock", Asked.lock("page/0", "other").build());
  }

  @Test
  void refusals_of_lock_that_nobody_reads_do_not_fill_the_node() {
    calls(48, LOCKS + "Lock", Asked.lock("page/0", "other").build());
  }

  @Test
  void late_refusals_that_nobody_reads_do_not_fill_the_node() {
    calls(24, LOCKS + "Lock", Asked.lock("page/0", "other").setTimeoutMs(3_000).build());
  }

  @Test
  void descriptions_that_nobody_reads_do_not_fill_the_node() {
    calls(
        96,
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
        ServerReflectionRequest.newBuilder()
            .setFileContainingSymbol("holdfast.v1.LockRequest")
            .build());
  }

  @Test
  void small_answers_that_nobody_reads_do_not_fill_the_node() {
    calls(64, LOCKS + "GetLock", GetLockRequest.newBuilder().setKey("nobody's").build());
  }

  @Test
  void events_that_nobody_reads_do_not_fill_the_node() {
    long first = 0;
    for (int i = 0; i < 40; i++) {
      LockResponse held = locks().tryLock(Asked.lock("event/" + i, "h").setMetadata(MOST).build());
      first = i == 0 ? held.getHeader().getRevision() : first;
    }
    streams(
        40,
        LOCKS + "Watch",
        WatchRequest.newBuilder()
            .setCreate(WatchCreate.newBuilder().setPrefix("event/").setStartRevision(first))
            .build());
  }

  @Test
  void answers_of_sessions_that_nobody_reads_do_not_fill_the_node() {
    SessionRequest.Builder refused =
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance());
    for (int i = 1; i <= 400; i++) {
      refused.addOperations(
          Operation.newBuilder().setNumber(i).setLock(Asked.lock("page/0", "other" + i)));
    }
    streams(20, LOCKS + "Session", refused.build());
  }

  @Test
  void refused_releases_that_nobody_reads_do_not_fill_the_node() {
    SessionRequest.Builder refused =
        SessionRequest.newBuilder().setOpen(SessionOpen.getDefaultInstance());
    for (int i = 1; i <= 1_000; i++) {
      refused.addOperations(
          Operation.newBuilder()
              .setNumber(i)
              .setUnlock(UnlockRequest.newBuilder().setKey("page/0").setFencingToken(1)));
    }
    streams(20, LOCKS + "Session", refused.build());
  }

  private void calls(int many, String path, MessageLite question) {
    unread(many, CALLS, END_STREAM, path, question);
  }

  private void streams(int many, String path, MessageLite question) {
    unread(many, STREAMS, 0, path, question);
  }

  private void unread(int many, int calls, int last, String path, MessageLite question) {
    for (int i = 0; i < many; i++) {
      RawConnection connection = RawConnection.http2From(ATTACKER, node.grpcAddress());
      connections.add(connection);
      connection.frame(SETTINGS, 0, 0, NO_WINDOW);
      for (int call = 0; call < calls; call++) {
        connection.frame(HEADERS, END_HEADERS, 2 * call + 1, RawConnection.headers(path));
        data(connection, last, 2 * call + 1, message(question));
        if (call % AT_ONCE == AT_ONCE - 1 || call == calls - 1) {
          connection.flush();
          assertServes(i);
        }
      }
    }
    assertServes(many);
  }

  private static byte[] message(MessageLite question) {
    byte[] asked = question.toByteArray();
    return ByteBuffer.allocate(5 + asked.length).putInt(1, asked.length).put(5, asked).array();
  }

  private static void data(RawConnection connection, int last, int stream, byte[] message) {
    for (int from = 0; from < message.length; from += 16_384) {
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      part.write(message, from, Math.min(16_384, message.length - from));
      boolean isLast = from + 16_384 >= message.length;
      connection.frame(DATA, isLast ? last : 0, stream, part.toByteArray());
    }
  }

  /** For a moment the commands of others may be too many, or too slow; answers must not be. */
  private void assertServes(int connection) {
    String served =
        eventually(
            "a lock",
            WITHIN,
            this::served,
            end -> !end.contains("commands of") && !end.contains("outcome is unknown"));
    assertTrue(
        served.isEmpty(),
        () ->
            "at connection [%d], node alive [%s]: %s, %s"
                .formatted(connection, node.isAlive(), served, node.errors()));
  }

  /** Why the bystander has no lock; empty if it has. */
  private String served() {
    try {
      assertTrue(locks().tryLock(Asked.lock("bystander", "bystander").build()).getAcquired());
      return "";
    } catch (StatusRuntimeException e) {
      return e.toString();
    }
  }

  private static LockServiceGrpc.LockServiceBlockingStub locks() {
    return LockServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }
}
