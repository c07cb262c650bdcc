package io.holdfast.coordination.following;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica.Image;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A state that comes in parts. */
class ImagePartsTest {

  private final ImageParts parts = new ImageParts();

  @Test
  void the_last_part_makes_it_whole() {
    assertEquals(Optional.empty(), add(7, 0, 5, 1, 2, 3));
    Image whole = add(7, 3, 5, 4, 5).orElseThrow();
    assertEquals(7, whole.index());
    assertArrayEquals(new byte[] {1, 2, 3, 4, 5}, whole.state().array());
  }

  @Test
  void without_one_of_them_it_is_never_whole() {
    add(7, 0, 5, 1, 2);
    assertEquals(Optional.empty(), add(7, 3, 5, 4, 5));
    assertEquals(Optional.empty(), add(7, 2, 5, 3, 4, 5, 6), "more than there is");
  }

  @Test
  void a_later_state_begins_anew_and_parts_of_two_are_not_mixed() {
    add(7, 0, 4, 1, 2);
    add(8, 0, 4, 3, 4);
    assertEquals(Optional.empty(), add(7, 2, 4, 9, 9));
    assertArrayEquals(new byte[] {3, 4, 5, 6}, add(8, 2, 4, 5, 6).orElseThrow().state().array());
  }

  @Test
  void a_state_beyond_all_bounds_is_not_taken() {
    assertEquals(Optional.empty(), add(7, 0, ImageParts.MAX_BYTES + 1, 1));
    assertEquals(Optional.empty(), add(7, 0, -1, 1));
  }

  private Optional<Image> add(long index, int offset, int total, int... content) {
    byte[] bytes = new byte[content.length];
    for (int i = 0; i < content.length; i++) {
      bytes[i] = (byte) content[i];
    }
    return parts.add(new LogMessage.ImagePart(index, offset, total, Bytes.of(bytes)));
  }
}
