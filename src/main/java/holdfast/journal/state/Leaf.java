package holdfast.journal.state;

import holdfast.journal.state.SortedBytes.Halves;
import holdfast.journal.state.SortedBytes.Node;
import holdfast.journal.state.SortedBytes.Visitor;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A segment: a few entries in order, each a key's length (2), a value's length (4), and both. */
final class Leaf implements Node {

  static final Leaf EMPTY = new Leaf(new byte[0]);

  private static final int MAX_BYTES = 1024;
  private static final int HEAD = 6;

  private final byte[] segment;

  private Leaf(byte[] segment) {
    this.segment = segment;
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
    return segment.length;
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
  public byte @Nullable [] get(byte[] key) {
    int at = find(key);
    return is(at, key) ? Arrays.copyOfRange(segment, at + HEAD + key.length, next(at)) : null;
  }

  @Override
  public Node put(byte[] key, byte[] value) {
    int at = find(key);
    int end = is(at, key) ? next(at) : at;
    byte[] changed = new byte[segment.length - (end - at) + HEAD + key.length + value.length];
    ByteBuffer.wrap(changed)
        .put(segment, 0, at)
        .putShort((short) key.length)
        .putInt(value.length)
        .put(key)
        .put(value)
        .put(segment, end, segment.length - end);
    return new Leaf(changed);
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
    return new Leaf(rest);
  }

  @Override
  public boolean scan(byte[] from, Visitor visitor) {
    for (int at = find(from); at < segment.length; at = next(at)) {
      int value = at + HEAD + keyLength(at);
      if (!visitor.visit(
          Arrays.copyOfRange(segment, at + HEAD, value),
          Arrays.copyOfRange(segment, value, next(at)))) {
        return false;
      }
    }
    return true;
  }

  /** A single entry is never too big: it cannot be cut. */
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
        new Leaf(Arrays.copyOf(segment, cut)),
        Bytes.of(separator(last, cut)),
        new Leaf(Arrays.copyOfRange(segment, cut, segment.length)));
  }

  /** The shortest beginning of the right key that is greater than the left key. */
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
    byte[] other = ((Leaf) right).segment;
    int length = segment.length + other.length;
    if (length > MAX_BYTES * 3 / 4) {
      return null;
    }
    return new Leaf(ByteBuffer.allocate(length).put(segment).put(other).array());
  }

  @Override
  public Node asRoot() {
    return this;
  }

  /** Where the first entry begins whose key is not less than this. */
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
    int value =
        (octet(at + 2) << 24) | (octet(at + 3) << 16) | (octet(at + 4) << 8) | octet(at + 5);
    return at + HEAD + keyLength(at) + value;
  }

  private int octet(int place) {
    return segment[place] & 0xff;
  }
}
