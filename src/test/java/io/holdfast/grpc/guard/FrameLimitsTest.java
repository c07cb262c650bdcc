package io.holdfast.grpc.guard;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.config.GuardSettings;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits on frames, at their exact bounds. */
class FrameLimitsTest {

  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final GuardSettings BOUNDS = bounds(/* maxCalls= */ 1);
  private static final long START = Long.MAX_VALUE - 1_000; // the clock may pass its end
  private static final long SECOND = 1_000_000_000;

  private final FrameLimits watch = new FrameLimits(BOUNDS, START);

  @Test
  void bytes_split_anywhere_give_the_same_violation() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(PREFACE);
    all.writeBytes(frame(4, 0, 0, 6));
    all.writeBytes(frame(1, 0, 1, 30));
    all.writeBytes(frame(9, 4, 1, 3));
    all.writeBytes(frame(0, 1, 1, 17));
    int good = all.size();
    all.writeBytes(frame(9, 4, 1, 0));
    byte[] bytes = all.toByteArray();
    for (int first = 0; first < bytes.length; first++) {
      for (int second = first; second < bytes.length; second += 7) {
        FrameLimits split = new FrameLimits(BOUNDS, START);
        assertNull(split.received(ByteBuffer.wrap(bytes, 0, Math.min(first, good)), START));
        if (second < good) {
          assertNull(split.received(ByteBuffer.wrap(bytes, first, second - first), START));
          Violation end =
              split.received(ByteBuffer.wrap(bytes, second, bytes.length - second), START);
          assertViolation(Violation.Kind.PROTOCOL_ERROR, "continues nothing", end);
        }
      }
    }
  }

  @Test
  void valid_frames_may_come_byte_by_byte() {
    int received = 0;
    for (byte octet : PREFACE) {
      assertFalse(watch.isGreeted());
      assertNull(watch.received(ByteBuffer.wrap(new byte[] {octet}), START));
    }
    assertTrue(watch.isGreeted());
    for (byte octet : frame(1, 4, 1, 300)) {
      assertNull(watch.received(ByteBuffer.wrap(new byte[] {octet}), START));
      assertEquals(++received == 309, watch.mayEnd());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n", "PRI * HTTP/1.0\r\n", "\u0016\u0003\u0001"})
  void a_client_without_http_2_gets_an_answer_in_http_1(String text) {
    Violation end =
        watch.received(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), START);
    assertViolation(Violation.Kind.NOT_HTTP2, "speaks gRPC over HTTP/2", end);
    String answer = new String(requireNonNull(end).answer(), StandardCharsets.US_ASCII);
    assertTrue(answer.startsWith("HTTP/1.1 505 "), answer);
    int body = answer.indexOf("\r\n\r\n") + 4;
    assertTrue(answer.contains("Content-Length: " + (answer.length() - body) + "\r\n"), answer);
  }

  @Test
  void a_header_block_has_a_limit_of_bytes() {
    greet();
    assertNull(receive(1, 0, 1, 16_384));
    assertNull(receive(9, 0, 1, 16_384));
    Violation end = receive(9, 0, 1, 1);
    assertViolation(Violation.Kind.ENHANCE_YOUR_CALM, "larger than [32768]", end);
    ByteBuffer answer = ByteBuffer.wrap(requireNonNull(end).answer());
    assertEquals(answer.capacity() - 9, answer.getInt() >>> 8, "length");
    assertEquals(7, answer.get(3), "GOAWAY");
    assertEquals(11, answer.getInt(13), "ENHANCE_YOUR_CALM");
  }

  @Test
  void a_header_block_has_a_limit_of_frames() {
    greet();
    for (int block = 1; block < 5; block += 2) {
      assertNull(receive(1, 0, block, 100));
      for (int i = 2; i < FrameLimits.MAX_HEADER_FRAMES; i++) {
        assertNull(receive(9, 0, block, 0));
      }
      assertNull(receive(9, 4, block, 0));
    }
    assertNull(receive(1, 0, 7, 0));
    for (int i = 2; i <= FrameLimits.MAX_HEADER_FRAMES; i++) {
      assertNull(receive(9, 0, 7, 0));
    }
    assertViolation(Violation.Kind.ENHANCE_YOUR_CALM, "more than [16] frames", receive(9, 4, 7, 0));
  }

  @Test
  void a_header_block_interrupted_by_a_frame_is_a_violation() {
    greet();
    assertNull(receive(1, 0, 1, 10));
    assertViolation(Violation.Kind.PROTOCOL_ERROR, "interrupted", receive(6, 0, 0, 8));
  }

  @Test
  void a_too_large_frame_is_a_violation_at_its_head() {
    greet();
    assertNull(receive(0, 0, 1, 16_384));
    byte[] head = frame(0, 0, 1, 16_385);
    Violation end = watch.received(ByteBuffer.wrap(head, 0, 9), START);
    assertViolation(Violation.Kind.FRAME_SIZE_ERROR, "larger than [16384]", end);
  }

  /** The bounds of the test are 1 to 5 a second; ten seconds' worth may come at once. */
  @ParameterizedTest
  @CsvSource({
    "4,0,1,10",
    "4,1,1,10",
    "6,0,2,20",
    "6,1,2,20",
    "3,0,3,3",
    "8,0,4,40",
    "0,0,5,50",
    "2,0,5,50",
    "5,4,5,50",
    "7,0,5,50",
    "77,0,5,50"
  })
  void frames_that_only_cause_work_are_rate_limited(
      int type, int flags, int perSecond, int atOnce) {
    greet();
    for (int i = 0; i < atOnce; i++) {
      assertNull(receive(type, flags, 1, 0), "frame " + i);
    }
    FrameLimits patient = new FrameLimits(BOUNDS, START);
    assertViolation(
        Violation.Kind.ENHANCE_YOUR_CALM,
        "more than [" + perSecond + "] ",
        receive(type, flags, 1, 0));
    patient.received(ByteBuffer.wrap(PREFACE), START);
    long now = START;
    for (int i = 0; i < 100; i++) {
      now += SECOND / perSecond;
      assertNull(patient.received(ByteBuffer.wrap(frame(type, flags, 1, 0)), now));
    }
  }

  @Test
  void resets_by_the_server_are_rate_limited_too() {
    for (int i = 0; i < 3; i++) {
      assertNull(watch.sent(ByteBuffer.wrap(frame(3, 0, 1, 4)), START));
      assertNull(watch.sent(ByteBuffer.wrap(frame(6, 1, 0, 8)), START));
    }
    assertViolation(
        Violation.Kind.ENHANCE_YOUR_CALM,
        "the server had to reset",
        watch.sent(ByteBuffer.wrap(frame(3, 0, 1, 4)), START));
  }

  @Test
  void calls_are_not_rate_limited() {
    greet();
    for (int i = 0; i < 100_000; i++) {
      assertNull(receive(1, 4, 2 * i + 1, 20));
      assertNull(receive(0, 0, 2 * i + 1, 7));
      assertNull(receive(0, 1, 2 * i + 1, 0)); // the end of a stream of requests
    }
  }

  @Test
  void an_established_connection_may_cancel_all_calls_at_once() {
    GuardSettings bounds = bounds(/* maxCalls= */ 64);
    FrameLimits young = new FrameLimits(bounds, START);
    FrameLimits older = new FrameLimits(bounds, START);
    assertEquals(3, resets(young, START), "a second's worth");
    assertEquals(33, resets(older, later(10)), "and what was saved");
    assertEquals(64, resets(older, later(100)), "as many as may be open");
    assertEquals(6, resets(older, later(102)));
  }

  private static int resets(FrameLimits watch, long now) {
    if (!watch.isGreeted()) {
      watch.received(ByteBuffer.wrap(PREFACE), now);
    }
    int count = 0;
    while (watch.received(ByteBuffer.wrap(frame(3, 0, 1, 0)), now) == null) {
      count++;
    }
    return count;
  }

  @Test
  void data_smaller_than_a_message_counts_as_idle() {
    greet();
    for (int i = 0; i < 1_000; i++) {
      assertNull(receive(0, 0, 1, 5));
    }
    for (int i = 0; i < 50; i++) {
      assertNull(receive(0, i % 2 == 0 ? 0 : 8, 1, i % 2 == 0 ? i % 5 : 200));
    }
    assertNull(receive(0, 1, 1, 1), "it ends its stream");
    assertNull(receive(0, 9, 1, 200), "it ends its stream");
    assertViolation(Violation.Kind.ENHANCE_YOUR_CALM, "more than [5] idle", receive(0, 0, 1, 4));
  }

  @Test
  void the_rest_of_a_message_in_several_frames_is_not_idle() {
    greet();
    for (int i = 0; i < 1_000; i++) {
      assertNull(receive(0, 0, 1, 16_384));
      assertNull(receive(0, 0, 1, 1));
    }
  }

  @Test
  void a_settings_frame_has_a_limit_of_entries() {
    greet();
    assertNull(receive(4, 0, 0, 6 * FrameLimits.MAX_SETTINGS));
    assertViolation(
        Violation.Kind.ENHANCE_YOUR_CALM,
        "more than [16] entries",
        receive(4, 0, 0, 6 * FrameLimits.MAX_SETTINGS + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 11, 256, -1})
  void a_goaway_with_an_error_gives_the_connection_up(int code) {
    byte[] goodbye = frame(7, 0, 0, 20);
    ByteBuffer.wrap(goodbye).putInt(9 + 4, code);
    for (int split = 0; split < 9 + 7; split++) {
      FrameLimits once = new FrameLimits(BOUNDS, START);
      assertNull(once.sent(ByteBuffer.wrap(goodbye, 0, split), START));
      Violation end = once.sent(ByteBuffer.wrap(goodbye, split, goodbye.length - split), START);
      assertViolation(Violation.Kind.SILENT, "gave it up with HTTP/2 error [" + code + "]", end);
      assertEquals(0, requireNonNull(end).answer().length, "it was told by the server");
    }
    assertNull(watch.sent(ByteBuffer.wrap(frame(7, 0, 0, 20)), START), "without an error");
  }

  @Test
  void an_idle_client_gets_the_last_served_stream_id() {
    greet();
    assertNull(receive(1, 4, 1, 20));
    assertNull(receive(1, 4, 77, 20));
    assertEquals(0, watch.quietNanos(START));
    assertEquals(SECOND, watch.quietNanos(later(1)));
    assertNull(watch.received(ByteBuffer.wrap(new byte[8]), later(1)));
    assertEquals(SECOND, watch.quietNanos(later(1)), "no frame is complete");
    Violation idle = watch.idle(Duration.ofSeconds(7));
    assertViolation(Violation.Kind.IDLE, "nothing came for [7000ms]", idle);
    ByteBuffer answer = ByteBuffer.wrap(idle.answer());
    assertEquals(77, answer.getInt(9), "the last stream");
    assertEquals(0, answer.getInt(13), "NO_ERROR");
  }

  private static GuardSettings bounds(int maxCalls) {
    return new GuardSettings(1, 1, Duration.ofMinutes(1), maxCalls, 1, 1, 2, 3, 4, 5);
  }

  private void greet() {
    assertNull(watch.received(ByteBuffer.wrap(PREFACE), START));
  }

  private @Nullable Violation receive(int type, int flags, int stream, int length) {
    return watch.received(ByteBuffer.wrap(frame(type, flags, stream, length)), START);
  }

  private static byte[] frame(int type, int flags, int stream, int length) {
    return ByteBuffer.allocate(9 + length)
        .putInt(length << 8 | type)
        .put((byte) flags)
        .putInt(stream)
        .array();
  }

  private static void assertViolation(
      Violation.Kind kind, String reason, @Nullable Violation violation) {
    assertNotNull(violation);
    assertEquals(kind, violation.kind());
    assertTrue(violation.reason().contains(reason), violation::reason);
  }

  private static long later(int seconds) {
    return START + seconds * SECOND;
  }
}
