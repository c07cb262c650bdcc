package io.holdfast.grpc.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.util.ByteString;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests which frames wait while the node is late, and which pass. */
class HeldCallsTest {

  private static final int MOST = 1 << 30;
  private static final int END_HEADERS = 4;

  private final Quota quota = new Quota(Quota.Kind.HELD, 4_000_000, 1_000_000);
  private final HeldCalls held = new HeldCalls(quota, ClientConnection.unknown());

  @Test
  void data_of_an_open_stream_passes_a_new_call() {
    ByteString call = headers(3);
    ByteString data = frame(FrameType.DATA, 0, 1, 10_000);
    ByteString last = frame(FrameType.DATA, 1, 3, 20);
    assertEquals(data, start(call.concat(data).concat(last)));
    assertEquals(call.concat(last), held.take(MOST));
    assertTrue(held.isEmpty());
  }

  @Test
  void frames_of_the_connection_pass_except_goaway() {
    ByteString ping = frame(FrameType.PING, 0, 0, 8);
    ByteString settings = frame(FrameType.SETTINGS, 0, 0, 6);
    ByteString window = frame(FrameType.WINDOW_UPDATE, 0, 0, 4);
    ByteString goAway = frame(FrameType.GOAWAY, 0, 0, 8);
    ByteString all = goAway.concat(headers(3)).concat(goAway).concat(ping).concat(settings);
    assertEquals(goAway.concat(ping).concat(settings).concat(window), start(all.concat(window)));
    assertEquals(headers(3).concat(goAway), held.take(MOST));
  }

  @Test
  void trailers_of_an_open_stream_wait_behind_new_calls() {
    ByteString trailers = headers(1);
    ByteString reset = frame(FrameType.RST_STREAM, 0, 1, 4);
    assertEquals(0, start(headers(3).concat(trailers).concat(reset)).size());
    assertEquals(headers(3), held.take(headers(3).size()));
    assertEquals(trailers.concat(reset), held.take(MOST));
  }

  @Test
  void a_reset_waits_with_its_call() {
    ByteString reset = frame(FrameType.RST_STREAM, 0, 3, 4);
    assertEquals(0, start(headers(3).concat(reset)).size());
    assertEquals(headers(3).concat(reset), held.take(MOST));
    assertEquals(reset, held.sort(reset), "its stream is open now");
  }

  @Test
  void calls_pass_whole_and_as_many_as_fit() {
    int size = headers(3).size();
    start(headers(3).concat(headers(5)).concat(headers(7)));
    assertEquals(0, held.take(size - 1).size());
    assertEquals(headers(3).concat(headers(5)), held.take(3 * size - 1));
    assertEquals(headers(7), held.take(size));
  }

  @Test
  void nothing_passes_within_a_frame_that_has_begun_to_pass() {
    ByteString data = frame(FrameType.DATA, 0, 3, 100);
    ByteString call = headers(3).concat(data.take(60));
    start(headers(3).concat(headers(5)).concat(data.take(60)));
    assertEquals(call, held.take(call.size()));
    assertFalse(held.hasNext());
    assertTrue(held.mayRead());
    assertEquals(data.slice(60, 80), held.sort(data.slice(60, 80)));
    assertFalse(held.hasNext());
    assertEquals(data.drop(80), held.sort(data.drop(80)));
    assertTrue(held.hasNext());
  }

  @Test
  void a_frame_that_has_come_in_part_holds_up_no_call() {
    ByteString data = frame(FrameType.DATA, 0, 1, 100);
    start(headers(3).concat(headers(5)).concat(data.take(50)));
    assertEquals(headers(3), held.take(headers(3).size()));
    assertEquals(data, held.sort(data.drop(50).concat(data.take(20))));
    assertEquals(0, held.sort(data.slice(20, 30)).size());
    assertEquals(headers(5).concat(data.take(30)), held.take(headers(5).size()));
    assertTrue(held.isEmpty(), "the rest passes without it");
  }

  @Test
  void half_a_call_passes_and_the_rest_follows_first() {
    ByteString block = frame(FrameType.HEADERS, 0, 3, 100);
    ByteString more = frame(FrameType.CONTINUATION, END_HEADERS, 3, 50);
    start(block.take(40));
    assertEquals(block.take(40), held.take(MOST));
    assertTrue(held.isEmpty());
    assertEquals(block.drop(40), held.sort(block.drop(40)));
    assertEquals(more, held.sort(more.concat(headers(5))).take(more.size()));
    assertEquals(headers(5), held.take(MOST));
  }

  @Test
  void a_frame_that_has_begun_to_pass_goes_on() {
    ByteString old = frame(FrameType.DATA, 0, 1, 100).drop(30);
    ByteString chunk = old.concat(headers(3)).concat(headers(5));
    int passed = old.size() + 3; // within a head
    assertEquals(headers(3).drop(3), held.start(chunk, old.size(), passed));
    assertEquals(headers(5), held.take(MOST));
  }

  @Test
  void a_connection_with_enough_held_calls_is_not_read() {
    start(headers(3));
    ByteString data = frame(FrameType.DATA, 0, 3, FrameLimits.MAX_FRAME);
    for (int size = HeldCalls.OVERHEAD_OF_CALL + headers(3).size();
        size < HeldCalls.PAUSE_READING_AT; ) {
      assertTrue(held.mayRead());
      held.sort(data);
      size += data.size();
    }
    assertFalse(held.mayRead());
    held.sort(frame(FrameType.DATA, 0, 1, 100).take(50));
    assertFalse(held.mayRead(), "half a frame of an open stream");
  }

  @Test
  void held_bytes_count_until_they_pass_or_the_connection_ends() {
    start(headers(3).concat(headers(5)));
    assertNull(held.count());
    int each = headers(3).size() + HeldCalls.OVERHEAD_OF_CALL;
    assertEquals(2L * each, quota.taken());
    held.take(headers(3).size());
    assertEquals(each, quota.taken());
    held.end();
    assertEquals(0, quota.taken());
  }

  @Test
  void a_connection_is_refused_above_its_quota() {
    int size = headers(3).size() + HeldCalls.OVERHEAD_OF_CALL;
    start(headers(3).concat(frame(FrameType.DATA, 0, 3, 1_000_000 - 9 - size)));
    assertNull(held.count());
    assertEquals(0, held.take(0).size());
    held.sort(frame(FrameType.DATA, 0, 3, 0));
    assertEquals("connection", Objects.requireNonNull(held.count()).of());
  }

  @TestFactory
  List<DynamicTest> random_frames_keep_the_orders_that_matter() {
    long base = System.nanoTime();
    return LongStream.range(0, 200)
        .mapToObj(i -> DynamicTest.dynamicTest("seed " + (base + i), () -> live(base + i)))
        .toList();
  }

  /** One client's frames, cut anywhere but within a head, on time and late at random. */
  private static void live(long seed) {
    Random random = new Random(seed);
    Quota quota = new Quota(Quota.Kind.HELD, MOST, MOST);
    HeldCalls held = new HeldCalls(quota, ClientConnection.unknown());
    RandomFrames frames = new RandomFrames(random, 300);
    ByteString all = frames.bytes();
    ByteString passed = ByteString.emptyByteString();
    int from = 0;
    while (from < all.size()) {
      int to = cut(frames, Math.min(all.size(), from + 1 + random.nextInt(4_000)));
      ByteString chunk = all.slice(from, to);
      if (!held.isEmpty()) {
        passed = passed.concat(held.sort(chunk));
      } else if (random.nextBoolean()) {
        passed = passed.concat(chunk);
      } else {
        int sure = random.nextBoolean() ? 0 : random.nextInt(chunk.size());
        passed = passed.concat(chunk.take(sure));
        passed = passed.concat(held.start(chunk, frameAfter(frames, from) - from, sure));
      }
      assertNull(held.count());
      RandomFrames.assertNoneWaitsInVain(whole(frames, to), passed.compact());
      while (held.hasNext() && random.nextInt(3) == 0) {
        int most = random.nextInt(3_000);
        ByteString taken = held.take(most);
        assertTrue(held.isEmpty() || taken.size() <= most);
        passed = passed.concat(taken);
      }
      from = to;
    }
    while (!held.isEmpty()) {
      passed = passed.concat(held.take(held.nextSize()));
    }
    frames.assertArrived(passed.compact());
    assertEquals(0, quota.taken());
  }

  /** Returns this position, or the end of the head that is there. */
  private static int cut(RandomFrames frames, int at) {
    int start = 0;
    for (RandomFrames.Frame frame : frames.all()) {
      if (at > start && at < start + 9) {
        return start + 9;
      }
      start += frame.bytes().size();
    }
    return at;
  }

  /** Returns the position of the first frame that begins here or later. */
  private static int frameAfter(RandomFrames frames, int at) {
    int start = 0;
    for (RandomFrames.Frame frame : frames.all()) {
      if (start >= at) {
        break;
      }
      start += frame.bytes().size();
    }
    return start;
  }

  private static List<RandomFrames.Frame> whole(RandomFrames frames, int until) {
    int end = 0;
    int count = 0;
    for (RandomFrames.Frame frame : frames.all()) {
      end += frame.bytes().size();
      if (end > until) {
        break;
      }
      count++;
    }
    return frames.all().subList(0, count);
  }

  private ByteString start(ByteString chunk) {
    return held.start(chunk, 0, 0);
  }

  private static ByteString headers(int stream) {
    return frame(FrameType.HEADERS, END_HEADERS, stream, 90);
  }

  private static ByteString frame(int type, int flags, int stream, int length) {
    return ByteString.fromArray(
        ByteBuffer.allocate(9 + length)
            .putInt(length << 8 | type)
            .put((byte) flags)
            .putInt(stream)
            .array());
  }
}
