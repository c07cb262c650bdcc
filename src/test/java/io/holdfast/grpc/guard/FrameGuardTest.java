package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.NotUsed;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import io.holdfast.fixtures.LocalActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the order and the pace of the bytes that a client sends. */
class FrameGuardTest {

  private static final ByteString PREFACE =
      ByteString.fromString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
          .concat(frame(FrameType.SETTINGS, 0, 0, 0));

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final AtomicLong wait = new AtomicLong();
  private final List<Violation> violations = new CopyOnWriteArrayList<>();
  private final AtomicInteger turns = new AtomicInteger();

  @Test
  void bytes_that_begin_calls_pass_in_slices() throws Exception {
    ByteString calls = calls(1, 200);
    List<ByteString> passed = pass(PREFACE, calls);
    assertEquals(PREFACE.concat(calls), join(passed));
    assertTrue(passed.stream().allMatch(part -> part.size() <= CallPace.SLICE), passed::toString);
    assertEquals(passed.size() - 1, turns.get());
  }

  @Test
  void a_late_server_gets_all_slices_in_their_turns() throws Exception {
    wait.set(Duration.ofMillis(1).toNanos());
    ByteString calls = calls(1, 100);
    ByteString more = calls(201, 3);
    List<ByteString> passed = pass(PREFACE, calls, more);
    assertEquals(PREFACE.concat(calls).concat(more), join(passed));
  }

  @Test
  void calls_of_a_client_that_has_closed_still_get_their_turns() throws Exception {
    wait.set(FrameGuard.CLOSE_WITHIN.plusMillis(100).toNanos());
    ByteString calls = calls(1, 15);
    assertEquals(PREFACE.concat(calls), join(pass(PREFACE, calls)));
  }

  @Test
  void a_connection_whose_calls_would_wait_too_long_is_ended() throws Exception {
    wait.set(CallPace.TOO_LATE);
    assertThrows(ExecutionException.class, () -> pass(PREFACE, calls(1, 1)));
    assertTrue(violations.get(0).reason().startsWith("more calls than"), violations::toString);
  }

  @Test
  void bytes_that_begin_no_call_never_wait() throws Exception {
    wait.set(Duration.ofDays(1).toNanos());
    ByteString data = frame(FrameType.DATA, 0, 1, 10_000);
    assertEquals(List.of(PREFACE, data), pass(PREFACE, data));
    assertEquals(0, turns.get());
  }

  /** Sends chunks, ends the connection, and returns what the server received. */
  private List<ByteString> pass(ByteString... chunks) throws Exception {
    Quota quota = new Quota(Quota.Kind.UNREAD, 1_000, 1_000);
    FrameGuard guard =
        new FrameGuard(
            new GuardSettings(10, 10, Duration.ofSeconds(30), 100, 100, 100, 100, 100, 100, 100),
            now -> {
              turns.incrementAndGet();
              return wait.get();
            },
            new UnreadAnswers(quota, ClientConnection.unknown()),
            System::nanoTime,
            violations::add);
    Flow<ByteString, ByteString, NotUsed> network =
        Flow.fromSinkAndSource(Sink.ignore(), Source.from(List.of(chunks)));
    return Source.<ByteString>maybe()
        .via(BidiFlow.fromGraph(guard).join(network))
        .toMat(Sink.seq(), Keep.right())
        .run(actors.system())
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  private static ByteString calls(int firstStream, int count) {
    List<ByteString> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      calls.add(
          frame(FrameType.HEADERS, /* END_HEADERS | END_STREAM */ 5, firstStream + 2 * i, 90));
    }
    return join(calls);
  }

  private static ByteString frame(int type, int flags, int stream, int length) {
    byte[] frame = new byte[9 + length];
    frame[0] = (byte) (length >>> 16);
    frame[1] = (byte) (length >>> 8);
    frame[2] = (byte) length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[6] = (byte) (stream >>> 16);
    frame[7] = (byte) (stream >>> 8);
    frame[8] = (byte) stream;
    return ByteString.fromArray(frame);
  }

  private static ByteString join(List<ByteString> parts) {
    return parts.stream().reduce(ByteString.emptyByteString(), ByteString::concat);
  }
}
