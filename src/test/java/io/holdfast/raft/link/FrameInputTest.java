package io.holdfast.raft.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameInputTest {

  private static final int LARGE = 3 << 20;

  private final FrameInput input =
      new FrameInput(FrameInput.MAX_READ_BYTES, FrameFormat.MAX_MESSAGE_BYTES);

  @Test
  void one_read_takes_only_so_much_and_says_that_there_is_more() throws IOException {
    Wire wire = bringing(FakePeer.frame(new byte[LARGE]));
    for (int i = 0; i < LARGE / FrameInput.MAX_READ_BYTES; i++) {
      assertEquals(FrameInput.MAX_READ_BYTES, input.readFrom(wire));
      assertTrue(input.isFull());
    }
    assertEquals(FrameFormat.HEADER_BYTES, input.readFrom(wire));
    assertFalse(input.isFull());
  }

  @Test
  void a_frame_in_pieces_comes_whole_and_its_room_is_given_back() throws IOException {
    byte[] body = new byte[LARGE];
    new SplittableRandom(1).nextBytes(body);
    for (int frame = 0; frame < 3; frame++) {
      Wire wire = bringing(FakePeer.frame(body));
      while (input.readFrom(wire) > 0) {}
      ByteBuffer whole = input.next();
      assertNotNull(whole);
      assertEquals(ByteBuffer.wrap(body), whole);
      assertTrue(input.large() >= LARGE);
      input.shrink();
      assertEquals(0, input.large());
    }
  }

  private static Wire bringing(byte[] bytes) {
    ByteBuffer left = ByteBuffer.wrap(bytes);
    return new Wire() {
      @Override
      public int read(ByteBuffer into) {
        int count = Math.min(into.remaining(), left.remaining());
        into.put(left.slice(left.position(), count));
        left.position(left.position() + count);
        return count;
      }

      @Override
      public boolean holdsMore() {
        return false;
      }

      @Override
      public void write(ByteBuffer from) {}

      @Override
      public int interest(boolean writing) {
        return 0;
      }

      @Override
      public void close() {}
    };
  }
}
