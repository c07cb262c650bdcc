package io.holdfast.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class PagesTest {

  private record Kept(long place, ByteBuffer piece) {}

  @Test
  void a_page_is_there_until_it_is_forgotten() {
    Seeds.each(
        20,
        random -> {
          Pages pages = new Pages();
          Deque<Kept> kept = new ArrayDeque<>();
          for (int step = 0; step < 3_000; step++) {
            byte[] piece = new byte[random.nextInt(random.nextInt(100) == 0 ? 600_000 : 3_000)];
            random.nextBytes(piece);
            long place = pages.add(piece);
            assertTrue(kept.isEmpty() || place > kept.getLast().place, "places rise");
            kept.add(new Kept(place, ByteBuffer.wrap(piece)));
            while (kept.size() > 1 && random.nextInt(400) < kept.size()) {
              kept.remove();
              pages.forgetBefore(kept.element().place);
            }
            if (random.nextInt(1_000) == 0) {
              kept.clear();
              pages.clear();
            }
            kept.stream().limit(2).forEach(each -> assertKept(pages, each));
          }
          kept.forEach(each -> assertKept(pages, each));
        });
  }

  @Test
  void a_forgotten_page_is_not_there() {
    Pages pages = new Pages();
    long first = pages.add(new byte[Pages.PAGE_BYTES]);
    pages.forgetBefore(pages.add(new byte[1]));
    assertThrows(IndexOutOfBoundsException.class, () -> pages.at(first));
  }

  private static void assertKept(Pages pages, Kept kept) {
    assertEquals(kept.piece, pages.at(kept.place));
    assertEquals(kept.piece.remaining(), pages.size(kept.place));
  }
}
