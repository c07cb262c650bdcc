package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The separators between the children of an inner node, in order. */
final class BTreeSeparators {

  /*
   * Neighbouring keys have long prefixes in common, and each comparison with one fetches it from
   * memory. So the prefix that all separators share is compared once, and the eight bytes after it
   * are kept side by side as numbers. The separators themselves are only read where these numbers
   * are equal.
   */

  static final BTreeSeparators NONE = new BTreeSeparators(new byte[0][]);

  private final byte[][] all;
  private final int shared;
  private final long[] heads;

  private BTreeSeparators(byte[][] all) {
    this.all = all;
    this.shared = shared(all);
    this.heads = new long[all.length];
    for (int i = 0; i < all.length; i++) {
      heads[i] = head(all[i]);
    }
  }

  private static int shared(byte[][] all) {
    if (all.length == 0) {
      return 0;
    }
    // They are in order: a prefix that the first and the last share, all share.
    byte[] first = all[0];
    int mismatch = Arrays.mismatch(first, all[all.length - 1]);
    return mismatch < 0 ? first.length : mismatch;
  }

  /** The eight bytes after the shared ones, as a signed number of the same order. */
  private long head(byte[] key) {
    int length = key.length - shared;
    long head = 0;
    if (length >= Long.BYTES) {
      head = ByteBuffer.wrap(key).getLong(shared);
    } else {
      for (int i = shared; i < key.length; i++) {
        head |= (key[i] & 0xffL) << (56 - 8 * (i - shared));
      }
    }
    return head ^ Long.MIN_VALUE;
  }

  byte[] get(int at) {
    return all[at];
  }

  /** The number of separators that are not greater than the key: the index of its child. */
  int find(byte[] key) {
    if (all.length == 0) {
      return 0;
    }
    int beginning = Arrays.compareUnsigned(all[0], 0, shared, key, 0, Math.min(shared, key.length));
    if (beginning != 0) {
      return beginning < 0 ? all.length : 0;
    }
    long head = head(key);
    int low = 0;
    int high = all.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = Long.compare(heads[middle], head);
      if (order == 0) {
        order = Arrays.compareUnsigned(all[middle], key);
      }
      if (order <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  BTreeSeparators with(int at, byte[] separator) {
    byte[][] longer = Arrays.copyOf(all, all.length + 1);
    System.arraycopy(all, at, longer, at + 1, all.length - at);
    longer[at] = separator;
    return new BTreeSeparators(longer);
  }

  BTreeSeparators without(int at) {
    byte[][] shorter = Arrays.copyOf(all, all.length - 1);
    System.arraycopy(all, at + 1, shorter, at, shorter.length - at);
    return new BTreeSeparators(shorter);
  }

  BTreeSeparators range(int from, int to) {
    return new BTreeSeparators(Arrays.copyOfRange(all, from, to));
  }

  BTreeSeparators joined(byte[] between, BTreeSeparators right) {
    byte[][] both = Arrays.copyOf(all, all.length + 1 + right.all.length);
    both[all.length] = between;
    System.arraycopy(right.all, 0, both, all.length + 1, right.all.length);
    return new BTreeSeparators(both);
  }
}
