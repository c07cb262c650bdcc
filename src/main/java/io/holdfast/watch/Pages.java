package io.holdfast.watch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of bytes in the order in which they came; the oldest are forgotten first.
 *
 * <p>They stand in pages that are used again: thousands of pieces a second, kept for seconds, would
 * else be moved by the collector again and again, each with all its parts.
 */
final class Pages {

  static final int PAGE_BYTES = 256 << 10;

  private static final int HEAD = Integer.BYTES;
  private static final byte[] NONE = {};

  private final List<byte[]> pages = new ArrayList<>();
  private byte @Nullable [] spare;

  /** The number of pages before the first of these. */
  private long gone;

  /** The bytes of the last page that are used. */
  private int used;

  /** Keeps a copy, and says where. Places rise. */
  long add(byte[] piece) {
    int size = HEAD + piece.length;
    byte[] page = pages.isEmpty() ? NONE : pages.get(pages.size() - 1);
    if (size > page.length - used) {
      page = blank(size);
      pages.add(page);
      used = 0;
    }
    ByteBuffer.wrap(page, used, size).putInt(piece.length).put(piece);
    long place = (gone + pages.size() - 1) << Integer.SIZE | used;
    used += size;
    return place;
  }

  /** The piece at a place, not a copy, to be read before anything is forgotten. */
  ByteBuffer at(long place) {
    ByteBuffer page = ByteBuffer.wrap(page(place));
    int start = (int) place;
    return page.slice(start + HEAD, page.getInt(start));
  }

  int size(long place) {
    return ByteBuffer.wrap(page(place)).getInt((int) place);
  }

  /** Forgets what came before a place. */
  void forgetBefore(long place) {
    while (gone < place >>> Integer.SIZE) {
      byte[] page = pages.remove(0); // of some hundred references
      gone++;
      spare = page.length == PAGE_BYTES ? page : spare;
    }
  }

  void clear() {
    gone += pages.size();
    pages.clear();
    used = 0;
  }

  private byte[] blank(int least) {
    byte[] page = spare;
    if (page == null || least > PAGE_BYTES) {
      return new byte[Math.max(PAGE_BYTES, least)];
    }
    spare = null;
    return page;
  }

  private byte[] page(long place) {
    return pages.get(Math.toIntExact((place >>> Integer.SIZE) - gone));
  }
}
