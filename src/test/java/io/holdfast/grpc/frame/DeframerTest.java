package io.holdfast.grpc.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.util.ByteString;
import akka.util.ByteStringBuilder;
import io.grpc.StatusRuntimeException;
import io.holdfast.fixtures.Seeds;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The splitting of a call's bytes into messages, and refusals before a message is complete. */
class DeframerTest {

  private static final int MAX = 65_536;

  private final Deframer deframer = new Deframer();

  @Test
  void bytes_split_anywhere_give_the_same_messages() {
    Seeds.each(
        500,
        random -> {
          List<ByteString> frames = frames(random);
          Deframer split = new Deframer();
          List<ByteString> got = new ArrayList<>();
          ByteString all = frames.stream().reduce(ByteString.emptyByteString(), ByteString::concat);
          while (!all.isEmpty()) {
            int most = random.nextBoolean() ? 7 : 40_000;
            int size = random.nextInt(1, Math.min(most, all.size()) + 1);
            split.give(all.take(size));
            all = all.drop(size);
            for (ByteString frame = split.next(); frame != null; frame = split.next()) {
              got.add(frame);
            }
            assertTrue(split.held() <= 2 * (Deframer.PREFIX + MAX), "it holds " + split.held());
          }
          split.end();
          assertEquals(frames, got);
          assertEquals(0, split.held());
        });
  }

  private static List<ByteString> frames(SplittableRandom random) {
    List<ByteString> frames = new ArrayList<>();
    for (int i = random.nextInt(1, 6); i > 0; i--) {
      int length = random.nextInt(4) == 0 ? random.nextInt(MAX + 1) : random.nextInt(40);
      byte[] message = new byte[length];
      random.nextBytes(message);
      frames.add(frame(0, length, message));
    }
    return frames;
  }

  @Test
  void a_message_of_maximal_size_is_accepted() {
    ByteString frame = frame(0, MAX, new byte[MAX]);
    deframer.give(frame);
    assertEquals(frame, deframer.next());
  }

  @Test
  void a_length_above_the_limit_is_refused_before_the_message() {
    for (int length : List.of(MAX + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE)) {
      assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, refused(frame(0, length)), "" + length);
    }
  }

  @Test
  void a_length_above_the_limit_is_refused_byte_by_byte() {
    ByteString prefix = frame(0, MAX + 1);
    for (int i = 0; i < 4; i++) {
      deframer.give(prefix.slice(i, i + 1));
      assertNull(deframer.next());
    }
    assertEquals(Reason.REASON_MESSAGE_TOO_LARGE, refused(deframer, prefix.drop(4)));
  }

  @Test
  void a_frame_with_flags_is_refused() {
    for (int flags : List.of(1, 2, 0x80, 0xFF)) {
      assertEquals(Reason.REASON_FRAME_INVALID, refused(frame(flags, 3, new byte[3])), "" + flags);
    }
  }

  @Test
  void a_declared_length_takes_no_memory_before_its_bytes_come() {
    deframer.give(frame(0, MAX));
    assertNull(deframer.next());
    assertTrue(deframer.held() < 1_000, "it holds " + deframer.held());
  }

  @Test
  void an_end_within_a_message_is_refused() {
    deframer.give(frame(0, 10, new byte[9]));
    assertNull(deframer.next());
    assertThrows(StatusRuntimeException.class, deframer::end);
  }

  @Test
  void a_unary_call_without_exactly_one_message_is_refused() {
    ByteString one = frame(0, 3, new byte[3]);
    deframer.give(one);
    assertEquals(one, deframer.only());
    for (ByteString other :
        List.of(
            one.concat(one), one.concat(one.take(1)), one.take(7), ByteString.emptyByteString())) {
      Deframer another = new Deframer();
      another.give(other);
      assertThrows(StatusRuntimeException.class, another::only, other::toString);
    }
  }

  private static Reason refused(ByteString bytes) {
    return refused(new Deframer(), bytes);
  }

  private static Reason refused(Deframer deframer, ByteString bytes) {
    deframer.give(bytes);
    return StatusMapping.refusal(
            assertThrows(StatusRuntimeException.class, () -> assertNull(deframer.next())))
        .getReason();
  }

  static ByteString frame(int flags, int length, byte... message) {
    return new ByteStringBuilder()
        .addOne((byte) flags)
        .result()
        .concat(ByteString.fromArray(ByteBuffer.allocate(4).putInt(length).array()))
        .concat(ByteString.fromArray(message));
  }
}
