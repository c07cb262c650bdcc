package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map from bytes to bytes.
 *
 * <p>A change gives a new map and leaves the old one as it was: to keep a version is to keep a
 * reference, and any thread may read it.
 */
final class SortedBytes {

  /*
   * A tree whose leaves are segments: arrays of about a kilobyte in which a few entries follow each
   * other in order. A change writes one segment and the short path above it anew; all else is
   * shared. A segment is exactly as long as its entries, so there is no slack, no garbage of our
   * own to collect, and what a key costs on the heap hardly exceeds its bytes. A large value is not
   * written anew with its segment, and not copied: it stays in the pieces that it was put in, and
   * who changes one piece shares the others.
   *
   * Order makes the rest easy: a prefix is a range, and two maps of equal content give equal
   * sequences of entries, however they came to be.
   */

  static final SortedBytes EMPTY = new SortedBytes(BTreeLeaf.EMPTY);

  private final Node root;

  private SortedBytes(Node root) {
    this.root = root;
  }

  /** Looks at one entry after the other, with its value in pieces. */
  @FunctionalInterface
  interface Visitor {

    /** Answers whether to go on. */
    boolean visit(byte[] key, byte[][] value);
  }

  boolean isEmpty() {
    return root.isEmpty();
  }

  /** How many entries there are. */
  int size() {
    return root.size();
  }

  /** How many bytes the entries take, each with its lengths: by the entries alone. */
  long bytes() {
    return root.bytes();
  }

  /** How many entries have a key that begins with this prefix. Looks at few of them. */
  int count(byte[] prefix) {
    byte[] after = prefix.clone();
    int last = after.length - 1;
    while (last >= 0 && ++after[last] == 0) {
      last--; // the next of its length: what was 0xff carries over
    }
    int until = last < 0 ? root.size() : root.before(after);
    return until - root.before(prefix);
  }

  /** The whole of what the key leads to, or null. Nobody may write to it. */
  byte @Nullable [] get(byte[] key) {
    byte[][] pieces = root.get(key);
    return pieces == null ? null : whole(pieces);
  }

  /** The same in the pieces that it was put in, if it is large. */
  byte @Nullable [][] pieces(byte[] key) {
    return root.get(key);
  }

  /** All pieces as one. */
  static byte[] whole(byte[][] pieces) {
    if (pieces.length == 1) {
      return pieces[0];
    }
    int length = 0;
    for (byte[] piece : pieces) {
      length += piece.length;
    }
    ByteBuffer whole = ByteBuffer.allocate(length);
    for (byte[] piece : pieces) {
      whole.put(piece);
    }
    return whole.array();
  }

  /** With this value, which is all pieces in their order. Nobody may write to them any more. */
  SortedBytes put(byte[] key, byte[]... value) {
    Node changed = root.put(key, value);
    return new SortedBytes(changed.isTooBig() ? BTreeInner.above(changed) : changed);
  }

  SortedBytes remove(byte[] key) {
    Node changed = root.remove(key);
    return changed == root ? this : new SortedBytes(changed.asRoot());
  }

  /** Visits the entries from this key on, in order. */
  void scan(byte[] from, Visitor visitor) {
    root.scan(from, visitor);
  }

  /** Visits the entries whose key begins with this prefix, from a key on, in order. */
  void scan(byte[] prefix, byte[] from, Visitor visitor) {
    byte[] begin = Arrays.compareUnsigned(from, prefix) > 0 ? from : prefix;
    root.scan(begin, (key, value) -> startsWith(key, prefix) && visitor.visit(key, value));
  }

  static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** A part of the tree. */
  interface Node {

    boolean isEmpty();

    /** How many entries there are. */
    int size();

    /** How many bytes the entries take. */
    long bytes();

    /** How many entries have a lesser key. */
    int before(byte[] key);

    byte @Nullable [][] get(byte[] key);

    Node put(byte[] key, byte[][] value);

    /** The same object if the key is not there. */
    Node remove(byte[] key);

    /** Answers whether to go on. */
    boolean scan(byte[] from, Visitor visitor);

    /** Whether it must be cut in two. */
    boolean isTooBig();

    /** Whether it should be joined with its neighbour, if the two are not too big together. */
    boolean isSmall();

    Halves halves();

    /** Itself and the neighbour to its right as one, or null if that would be too big. */
    @Nullable Node joined(byte[] separator, Node right);

    /** Itself without idle levels above. */
    Node asRoot();
  }

  /**
   * A node cut in two.
   *
   * @param separator greater than all keys to the left, and not greater than any to the right
   */
  record Halves(Node left, Bytes separator, Node right) {}
}
