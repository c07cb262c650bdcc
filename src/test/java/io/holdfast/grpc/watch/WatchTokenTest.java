package io.holdfast.grpc.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.ByteString;
import io.holdfast.id.Revision;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A resume token is read for the selector and the cluster it was made for, and else for none. */
class WatchTokenTest {

  private final WatchToken tokens = new WatchToken(7, Selector.key("a"));
  private final Position position = new Position(new Revision(1L << 40), 12);
  private final ByteString token = tokens.write(position);

  @Test
  void a_resume_token_is_read_as_written() {
    assertEquals(Optional.of(position), tokens.read(token));
    assertEquals(Optional.of(position), new WatchToken(7, Selector.key("a")).read(token));
  }

  @Test
  void a_token_of_another_selector_or_cluster_is_refused() {
    assertEquals(Optional.empty(), new WatchToken(8, Selector.key("a")).read(token));
    assertEquals(Optional.empty(), new WatchToken(7, Selector.key("b")).read(token));
    assertEquals(Optional.empty(), new WatchToken(7, Selector.prefix("a")).read(token));
  }

  @Test
  void a_damaged_resume_token_is_refused() {
    assertEquals(Optional.empty(), tokens.read(ByteString.EMPTY));
    assertEquals(Optional.empty(), tokens.read(token.concat(token)));
    assertEquals(Optional.empty(), tokens.read(token.substring(1)));
    for (int i = 0; i < token.size() * 8; i++) {
      byte[] damaged = token.toByteArray();
      damaged[i / 8] ^= (byte) (1 << i % 8);
      assertEquals(Optional.empty(), tokens.read(ByteString.copyFrom(damaged)), "bit " + i);
    }
  }

  @Test
  void a_resume_token_is_small() {
    assertEquals(33, token.size());
  }
}
