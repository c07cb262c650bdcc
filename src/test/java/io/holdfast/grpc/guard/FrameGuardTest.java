package io.holdfast.grpc.guard;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.NotUsed;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.holdfast.config.GuardSettings;
import io.holdfast.fixtures.LocalActors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the order and the pace of the bytes that a client sends. */
class FrameGuardTest {

  private static final ByteString PREFACE =
      ByteString.fromString("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
          .concat(frame(FrameType.SETTINGS, 0, 0, 0));

  private static final Duration WITHIN = Duration.ofSeconds(30);

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final AtomicLong wait = new AtomicLong();
  private final List<Violation> violations = new CopyOnWriteArrayList<>();
  private final Quota heldBytes = new Quota(Quota.Kind.HELD, 4_000_000, 1_000_000);
  private IntToLongFunction waits = turn -> wait.get();
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

  @Test
  void frames_of_open_streams_overtake_new_calls() throws Exception {
    ByteString open = calls(1, 1);
    ByteString call = calls(3, 1);
    ByteString data = frame(FrameType.DATA, 0, 1, 10 << 10);
    ByteString last = frame(FrameType.DATA, 1, 3, 20);
    waits = turn -> turn == 1 ? 0 : Duration.ofSeconds(1).toNanos();
    assertEquals(
        List.of(PREFACE, open, data, call.concat(last)),
        pass(PREFACE, open, call.concat(data).concat(last)));
  }

  @Test
  void later_frames_of_open_streams_do_not_wait_either() throws Exception {
    waits = turn -> turn == 1 ? 0 : Duration.ofDays(1).toNanos();
    ByteString open = calls(1, 1);
    ByteString data = frame(FrameType.DATA, 0, 1, 100);
    ByteString ping = frame(FrameType.PING, 0, 0, 8);
    Source<ByteString, NotUsed> chunks =
        Source.from(List.of(PREFACE, open, calls(3, 100), data, calls(203, 100), ping));
    assertEquals(
        List.of(PREFACE, open, data, ping), pass(chunks.concat(Source.maybe()), /* parts= */ 4));
  }

  @Test
  void a_node_that_is_late_within_a_chunk_sorts_the_rest() throws Exception {
    waits = turn -> turn <= 2 ? 0 : Duration.ofMillis(300).toNanos();
    ByteString calls = calls(3, 40);
    ByteString data = frame(FrameType.DATA, 0, 1, 10_000);
    ByteString all = join(pass(PREFACE, calls(1, 1), calls.concat(data)));
    int whole =
        PREFACE.size() + calls(1, 1).size() + calls(3, 11).size(); // 1 KiB of calls has gone
    assertEquals(data, all.slice(whole, whole + data.size()));
    assertEquals(calls.drop(calls(3, 11).size()), all.drop(whole + data.size()));
  }

  @Test
  void a_chunk_that_begins_within_a_frame_is_sorted_behind_it() throws Exception {
    waits = turn -> turn == 1 ? 0 : Duration.ofDays(1).toNanos();
    ByteString data = frame(FrameType.DATA, 0, 1, 100);
    ByteString first = calls(1, 1).concat(data.take(50));
    ByteString second = data.drop(50).concat(calls(3, 1)).concat(data);
    Source<ByteString, NotUsed> chunks = Source.from(List.of(PREFACE, first, second));
    assertEquals(
        List.of(PREFACE, first, data.drop(50).concat(data)),
        pass(chunks.concat(Source.maybe()), /* parts= */ 3));
  }

  @Test
  void a_call_passes_beside_a_stream_whose_chunks_end_within_frames() throws Exception {
    waits = turn -> turn == 2 ? Duration.ofMillis(1).toNanos() : 0;
    ByteString data = frame(FrameType.DATA, 0, 1, 1_000);
    ByteString call = calls(3, 1);
    Source<ByteString, NotUsed> chunks =
        Source.from(List.of(PREFACE, calls(1, 1), call.concat(data.take(500))))
            .concat(Source.repeat(data.drop(500).concat(data.take(500))));
    passed(chunks)
        .filter(part -> part.take(call.size()).equals(call))
        .runWith(Sink.head(), actors.system())
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void calls_in_the_first_chunk_wait_too() throws Exception {
    wait.set(Duration.ofMillis(1).toNanos());
    assertEquals(List.of(PREFACE, calls(1, 1)), pass(PREFACE.concat(calls(1, 1))));
  }

  @Test
  void calls_beyond_their_quota_end_the_connection() throws Exception {
    wait.set(Duration.ofDays(1).toNanos());
    ByteString data = frame(FrameType.DATA, 0, 1, FrameLimits.MAX_FRAME);
    ByteString much = calls(1, 1).concat(join(Collections.nCopies(70, data)));
    assertThrows(ExecutionException.class, () -> pass(PREFACE, much));
    assertEquals(
        "the connection has [1000000] bytes of held calls, the maximum",
        violations.get(0).reason());
    eventually("nothing is counted", WITHIN, heldBytes::taken, taken -> taken == 0);
  }

  @TestFactory
  List<DynamicTest> random_frames_all_arrive_in_a_valid_order() {
    long base = System.nanoTime();
    return LongStream.range(0, 20)
        .mapToObj(i -> DynamicTest.dynamicTest("seed " + (base + i), () -> live(base + i)))
        .toList();
  }

  /** One client's frames, cut anywhere, at a node that is late at random. */
  private void live(long seed) throws Exception {
    Random random = new Random(seed);
    RandomFrames frames = new RandomFrames(random, 200);
    ByteString all = PREFACE.concat(frames.bytes());
    List<ByteString> chunks = new ArrayList<>();
    for (int from = 0, to; from < all.size(); from = to) {
      to = Math.min(all.size(), from + 1 + random.nextInt(random.nextBoolean() ? 30 : 4_000));
      chunks.add(all.slice(from, to));
    }
    boolean[] late = new boolean[1_000];
    for (int i = 1; i < late.length; i++) {
      late[i] = random.nextInt(10) == 0 ? !late[i - 1] : late[i - 1];
    }
    waits = turn -> late[turn % late.length] ? Duration.ofMillis(1).toNanos() : 0;
    ByteString passed = join(pass(chunks.toArray(ByteString[]::new)));
    frames.assertArrived(passed.drop(PREFACE.size()).compact());
  }

  /** Sends chunks, ends the connection, and returns what the server received. */
  private List<ByteString> pass(ByteString... chunks) throws Exception {
    return pass(Source.from(List.of(chunks)), Integer.MAX_VALUE);
  }

  /** Sends chunks, and returns what the server received, up to so many parts. */
  private List<ByteString> pass(Source<ByteString, NotUsed> chunks, int parts) throws Exception {
    return passed(chunks)
        .take(parts)
        .runWith(Sink.seq(), actors.system())
        .toCompletableFuture()
        .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private Source<ByteString, ?> passed(Source<ByteString, NotUsed> chunks) {
    Quota quota = new Quota(Quota.Kind.UNREAD, 1_000, 1_000);
    FrameGuard guard =
        new FrameGuard(
            new GuardSettings(10, 10, Duration.ofSeconds(30), 100, 100, 100, 100, 100, 100, 100),
            now -> {
              return waits.applyAsLong(turns.incrementAndGet());
            },
            new UnreadAnswers(quota, ClientConnection.unknown()),
            new HeldCalls(heldBytes, ClientConnection.unknown()),
            System::nanoTime,
            violations::add);
    Flow<ByteString, ByteString, NotUsed> network = Flow.fromSinkAndSource(Sink.ignore(), chunks);
    return Source.<ByteString>maybe().via(BidiFlow.fromGraph(guard).join(network));
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
