package io.holdfast.grpc.translate;

import com.google.protobuf.ByteString;
import io.holdfast.lock.ContentHash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Where a list goes on: after a name, in the list that it was made for. For clients it is only
 * bytes.
 */
public final class PageToken {

  static final int MAX_BYTES = 1_024;

  private static final byte FORM = 1;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private PageToken() {}

  /**
   * The token of a page that ended so.
   *
   * @param list which list, with all that was asked of it
   */
  public static ByteString write(String list, String after) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).put(FORM).putLong(name(list)).flip();
    return ByteString.copyFrom(head).concat(ByteString.copyFromUtf8(after));
  }

  /** The name after which to go on; empty at the beginning. */
  public static String read(String list, ByteString token) {
    if (token.isEmpty()) {
      return "";
    } else if (token.size() > MAX_BYTES
        || token.size() <= HEAD_BYTES
        || !token.startsWith(write(list, ""))) {
      throw RequestReader.cursorInvalid("page_token");
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(token.substring(HEAD_BYTES).asReadOnlyByteBuffer())
          .toString();
    } catch (CharacterCodingException e) {
      throw RequestReader.cursorInvalid("page_token");
    }
  }

  /** In short: a prefix and a key, both as long as may be, would not fit into one token. */
  private static long name(String list) {
    return new ContentHash().and(list).value();
  }
}
