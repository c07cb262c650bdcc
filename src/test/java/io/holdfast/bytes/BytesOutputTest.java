package io.holdfast.bytes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.fixtures.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Output of binary formats, and the input that reads it back. */
class BytesOutputTest {

  /** One value: how to write it, and how to read and check it. */
  private record Value(Consumer<BytesOutput> write, Consumer<BytesInput> check) {}

  @Test
  void numbers_are_big_endian_and_texts_follow_their_length() {
    byte[] bytes =
        new BytesOutput()
            .putByte(1)
            .putShort(0x0203)
            .putInt(0x04050607)
            .putLong(0x08090a0b0c0d0e0fL)
            .putText("é")
            .putShortBytes(new byte[] {1})
            .put(new byte[] {2})
            .toBytes();
    assertEquals("0102030405060708090a0b0c0d0e0f0002c3a900010102", HexFormat.of().formatHex(bytes));
  }

  @Test
  void written_values_are_read_back_from_arrays_and_from_pieces() {
    Seeds.each(
        50,
        random -> {
          List<Value> values = values(random);
          BytesOutput array = new BytesOutput();
          ByteArrayOutputStream pieces = new ByteArrayOutputStream();
          BytesOutput sink = new BytesOutput((from, at, end) -> pieces.write(from, at, end - at));
          values.forEach(value -> value.write.accept(array));
          values.forEach(value -> value.write.accept(sink));
          sink.flush();
          byte[] bytes = array.toBytes();
          assertArrayEquals(bytes, pieces.toByteArray());
          BytesInput all = new BytesInput(bytes);
          values.forEach(value -> value.check.accept(all));
          all.requireEnd();
          BytesInput slow = new BytesInput(slowly(bytes, random));
          values.forEach(value -> value.check.accept(slow));
          assertThrows(IllegalArgumentException.class, slow::getByte);
        });
  }

  @Test
  void bytes_that_end_early_are_refused() {
    byte[] bytes = new BytesOutput().putInt(7).putText("text").putLong(9).toBytes();
    for (int end = 0; end < bytes.length; end++) {
      BytesInput cut = new BytesInput(Arrays.copyOf(bytes, end));
      assertThrows(IllegalArgumentException.class, () -> readAll(cut), "at " + end);
      BytesInput source = new BytesInput(slowly(Arrays.copyOf(bytes, end), new SplittableRandom()));
      assertThrows(IllegalArgumentException.class, () -> readAll(source), "at " + end);
    }
    readAll(new BytesInput(bytes));
  }

  @Test
  void bytes_after_the_end_are_refused() {
    BytesInput in = new BytesInput(new byte[] {1, 2});
    in.getByte();
    assertThrows(IllegalArgumentException.class, in::requireEnd);
  }

  @Test
  void a_length_that_two_bytes_cannot_hold_is_refused() {
    BytesOutput out = new BytesOutput().putText("x".repeat(65_535));
    assertThrows(IllegalArgumentException.class, () -> out.putText("x".repeat(65_536)));
    assertThrows(IllegalArgumentException.class, () -> out.putShort(-1));
    assertEquals(65_537, out.toBytes().length, "nothing of what was refused is written");
  }

  @Test
  void a_count_or_length_out_of_bounds_is_refused() {
    byte[] bytes = new BytesOutput().putInt(3).putInt(-1).toBytes();
    assertEquals(3, new BytesInput(bytes).getCount(3));
    assertThrows(IllegalArgumentException.class, () -> new BytesInput(bytes).getCount(2));
    BytesInput negative = new BytesInput(ByteBuffer.wrap(bytes, 4, 4));
    assertThrows(IllegalArgumentException.class, () -> negative.getCount(9));
    assertThrows(IllegalArgumentException.class, () -> negative.get(-1));
  }

  private static void readAll(BytesInput in) {
    assertEquals(7, in.getInt());
    assertEquals("text", in.getText());
    assertEquals(9, in.getLong());
  }

  private static List<Value> values(SplittableRandom random) {
    List<Value> values = new ArrayList<>();
    for (int i = random.nextInt(300); i > 0; i--) {
      long number = random.nextLong();
      byte[] content = new byte[random.nextInt(random.nextInt(20) == 0 ? 200_000 : 300)];
      random.nextBytes(content);
      values.add(
          switch (random.nextInt(6)) {
            case 0 ->
                new Value(
                    out -> out.putByte((byte) number),
                    in -> assertEquals((byte) number, in.getByte()));
            case 1 ->
                new Value(
                    out -> out.putShort((char) number),
                    in -> assertEquals((char) number, in.getShort()));
            case 2 ->
                new Value(
                    out -> out.putInt((int) number), in -> assertEquals((int) number, in.getInt()));
            case 3 ->
                new Value(out -> out.putLong(number), in -> assertEquals(number, in.getLong()));
            case 4 ->
                new Value(
                    out -> out.putText("ü" + number),
                    in -> assertEquals("ü" + number, in.getText()));
            default ->
                new Value(
                    out -> out.put(content),
                    in -> assertArrayEquals(content, in.get(content.length)));
          });
    }
    return values;
  }

  private static ByteSource slowly(byte[] bytes, SplittableRandom random) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return (into, from, to) -> {
      if (!left.hasRemaining()) {
        return -1;
      }
      int some = Math.min(Math.min(left.remaining(), to - from), 1 + random.nextInt(5_000));
      left.get(into, from, some);
      return some;
    };
  }
}
