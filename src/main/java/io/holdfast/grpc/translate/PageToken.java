package io.holdfast.grpc.translate;

import com.google.protobuf.ByteString;
import io.holdfast.lock.ContentHash;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The page token of a list: the last name of the page, bound to the list that it was made for.
 * Opaque bytes for clients.
 */
public final class PageToken {

  static final int MAX_BYTES = 1_024;

  private static final byte FORM = 1;
  private static final int HEAD_BYTES = 1 + Long.BYTES;

  private PageToken() {}

  /**
   * Returns the token of a page that ends with the name {@code after}.
   *
   * @param list identifies the list, with its filters
   */
  public static ByteString write(String list, String after) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES).put(FORM).putLong(name(list)).flip();
    return ByteString.copyFrom(head).concat(ByteString.copyFromUtf8(after));
  }

  /** Returns the name after which the next page starts; empty for the first page. */
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

  /** Hashes the list: a prefix and a key of maximal length would not fit into one token. */
  private static long name(String list) {
    return new ContentHash().and(list).value();
  }
}
