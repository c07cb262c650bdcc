package io.holdfast.grpc.translate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.fixtures.Seeds;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Page tokens: valid, forged, damaged and of other lists. */
class PageTokenTest {

  private static final String LIST = "locks of é/";

  @Test
  void a_list_continues_after_its_last_page() {
    assertEquals("é/🔒", PageToken.read(LIST, PageToken.write(LIST, "é/🔒")));
    assertEquals("", PageToken.read(LIST, ByteString.EMPTY));
  }

  @Test
  void the_longest_names_fit_into_a_token() {
    String list = "locks under " + "p".repeat(512);
    ByteString token = PageToken.write(list, "k".repeat(512));
    assertTrue(token.size() <= PageToken.MAX_BYTES, () -> "bytes: " + token.size());
    assertEquals("k".repeat(512), PageToken.read(list, token));
  }

  @Test
  void a_token_of_another_list_is_refused() {
    refused(LIST, PageToken.write("locks of a/", "a/b"));
    refused("locks of a", PageToken.write("locks of a/", "a/b"));
    refused("locks of a/", PageToken.write("locks of a", "/b"));
  }

  @Test
  void a_forged_page_token_is_refused() {
    refused(LIST, ByteString.copyFromUtf8("nonsense"));
    refused(LIST, PageToken.write(LIST, ""));
    refused(LIST, PageToken.write(LIST, "k").concat(ByteString.copyFrom(new byte[] {(byte) 0xC3})));
    refused(LIST, PageToken.write(LIST, "k".repeat(PageToken.MAX_BYTES)));
  }

  @Test
  void a_damaged_page_token_is_read_or_refused() {
    Seeds.each(
        500,
        random -> {
          byte[] bytes = PageToken.write(LIST, "some/key").toByteArray();
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
          try {
            assertEquals(
                ByteString.copyFrom(bytes),
                PageToken.write(LIST, PageToken.read(LIST, ByteString.copyFrom(bytes))));
          } catch (StatusRuntimeException e) {
            assertEquals(Reason.REASON_CURSOR_INVALID, refusal(e).getReason());
          }
        });
  }

  private static void refused(String list, ByteString token) {
    Refusal refusal =
        refusal(assertThrows(StatusRuntimeException.class, () -> PageToken.read(list, token)));
    assertEquals(Reason.REASON_CURSOR_INVALID, refusal.getReason());
    assertEquals("page_token", refusal.getField());
  }

  private static Refusal refusal(StatusRuntimeException error) {
    try {
      return Objects.requireNonNull(StatusProto.fromThrowable(error))
          .getDetails(0)
          .unpack(Refusal.class);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }
}
