package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.journal.state.SortedBytes.Halves;
import io.holdfast.journal.state.SortedBytes.Node;
import io.holdfast.journal.state.SortedBytes.Visitor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A leaf of the tree: a segment with a few entries in order. Each has the key's length (2), the
 * value's length (4), the key and the value. A large value is kept beside the segment, in the
 * pieces that it was put in, and its length has a mark.
 */
final class BTreeLeaf implements Node {

  private static final byte[][][] NOTHING = {};

  static final BTreeLeaf EMPTY = new BTreeLeaf(new byte[0], NOTHING);

  private static final int MAX_BYTES = 1024;
  private static final int HEAD = 6;

  /** The longest value that is kept in the segment. */
  private static final int LARGE = 4096;

  private static final int BESIDE = 1 << 31;

  private final byte[] segment;

  /** The large values of the segment, in the order of their entries. */
  private final byte[][][] beside;

  private BTreeLeaf(byte[] segment, byte[][][] beside) {
    this.segment = segment;
    this.beside = beside;
  }

  @Override
  public boolean isEmpty() {
    return segment.length == 0;
  }

  @Override
  public int size() {
    return entries(segment.length);
  }

  @Override
  public long bytes() {
    long bytes = segment.length;
    for (byte[][] pieces : beside) {
      bytes += length(pieces);
    }
    return bytes;
  }

  private static int length(byte[][] pieces) {
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    return length;
  }

  @Override
  public int before(byte[] key) {
    return entries(find(key));
  }

  private int entries(int end) {
    int count = 0;
    for (int at = 0; at < end; at = next(at)) {
      count++;
    }
    return count;
  }

  @Override
  public byte @Nullable [][] get(byte[] key) {
    int at = find(key);
    return is(at, key) ? value(at, at + HEAD + key.length) : null;
  }

  /** The value of the entry that begins here: a large one itself, of others a copy. */
  private byte[][] value(int at, int from) {
    return isBeside(at)
        ? beside[besideBefore(at)]
        : new byte[][] {Arrays.copyOfRange(segment, from, next(at))};
  }

  @Override
  public Node put(byte[] key, byte[][] value) {
    int at = find(key);
    int length = length(value);
    boolean isLarge = length > LARGE;
    int end = is(at, key) ? next(at) : at;
    int inside = isLarge ? 0 : length;
    ByteBuffer changed =
        ByteBuffer.allocate(segment.length - (end - at) + HEAD + key.length + inside)
            .put(segment, 0, at)
            .putShort((short) key.length)
            .putInt(isLarge ? BESIDE | length : length)
            .put(key);
    if (!isLarge) {
      for (byte[] piece : value) {
        changed.put(piece);
      }
    }
    changed.put(segment, end, segment.length - end);
    return new BTreeLeaf(
        changed.array(), beside(at, end, isLarge ? new byte[][][] {value} : NOTHING));
  }

  @Override
  public Node remove(byte[] key) {
    int at = find(key);
    if (!is(at, key)) {
      return this;
    }
    int end = next(at);
    byte[] rest = new byte[segment.length - (end - at)];
    System.arraycopy(segment, 0, rest, 0, at);
    System.arraycopy(segment, end, rest, at, segment.length - end);
    return new BTreeLeaf(rest, beside(at, end, NOTHING));
  }

  /** The large values, with these in place of those in a range of the segment. */
  private byte[][][] beside(int from, int to, byte[][][] instead) {
    if (beside.length == 0) {
      return instead;
    }
    return joined(
        joined(Arrays.copyOf(beside, besideBefore(from)), instead),
        Arrays.copyOfRange(beside, besideBefore(to), beside.length));
  }

  private static byte[][][] joined(byte[][][] left, byte[][][] right) {
    if (left.length == 0 || right.length == 0) {
      return left.length == 0 ? right : left;
    }
    byte[][][] all = Arrays.copyOf(left, left.length + right.length);
    System.arraycopy(right, 0, all, left.length, right.length);
    return all;
  }

  @Override
  public boolean scan(byte[] from, Visitor visitor) {
    for (int at = find(from); at < segment.length; at = next(at)) {
      int value = at + HEAD + keyLength(at);
      if (!visitor.visit(Arrays.copyOfRange(segment, at + HEAD, value), value(at, value))) {
        return false;
      }
    }
    return true;
  }

  /** False for a single entry, which cannot be split. */
  @Override
  public boolean isTooBig() {
    return segment.length > MAX_BYTES && next(0) < segment.length;
  }

  @Override
  public boolean isSmall() {
    return segment.length < MAX_BYTES / 4;
  }

  @Override
  public Halves halves() {
    int last = 0;
    int cut = next(0);
    while (next(cut) <= segment.length / 2) {
      last = cut;
      cut = next(cut);
    }
    return new Halves(
        new BTreeLeaf(
            Arrays.copyOf(segment, cut),
            beside.length == 0 ? NOTHING : Arrays.copyOf(beside, besideBefore(cut))),
        Bytes.of(separator(last, cut)),
        new BTreeLeaf(
            Arrays.copyOfRange(segment, cut, segment.length),
            beside.length == 0
                ? NOTHING
                : Arrays.copyOfRange(beside, besideBefore(cut), beside.length)));
  }

  /** The shortest prefix of the right key that is greater than the left key. */
  private byte[] separator(int left, int right) {
    int from = right + HEAD;
    int same =
        Arrays.mismatch(
            segment,
            left + HEAD,
            left + HEAD + keyLength(left),
            segment,
            from,
            from + keyLength(right));
    return Arrays.copyOfRange(segment, from, from + same + 1);
  }

  @Override
  public @Nullable Node joined(byte[] separator, Node right) {
    BTreeLeaf other = (BTreeLeaf) right;
    int length = segment.length + other.segment.length;
    if (length > MAX_BYTES * 3 / 4) {
      return null;
    }
    return new BTreeLeaf(
        ByteBuffer.allocate(length).put(segment).put(other.segment).array(),
        joined(beside, other.beside));
  }

  @Override
  public Node asRoot() {
    return this;
  }

  /** The start of the first entry whose key is not less than this one. */
  private int find(byte[] key) {
    int at = 0;
    while (at < segment.length) {
      int from = at + HEAD;
      if (Arrays.compareUnsigned(segment, from, from + keyLength(at), key, 0, key.length) >= 0) {
        return at;
      }
      at = next(at);
    }
    return at;
  }

  private boolean is(int at, byte[] key) {
    int from = at + HEAD;
    return at < segment.length
        && Arrays.equals(segment, from, from + keyLength(at), key, 0, key.length);
  }

  private int keyLength(int at) {
    return (octet(at) << 8) | octet(at + 1);
  }

  private int next(int at) {
    return at + HEAD + keyLength(at) + (isBeside(at) ? 0 : valueLength(at));
  }

  private int valueLength(int at) {
    return (octet(at + 2) << 24) | (octet(at + 3) << 16) | (octet(at + 4) << 8) | octet(at + 5);
  }

  private boolean isBeside(int at) {
    return segment[at + 2] < 0;
  }

  /** The number of entries before this place that have a large value. */
  private int besideBefore(int end) {
    int count = 0;
    for (int at = 0; at < end; at = next(at)) {
      count += isBeside(at) ? 1 : 0;
    }
    return count;
  }

  private int octet(int place) {
    return segment[place] & 0xff;
  }
}
