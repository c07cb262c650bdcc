package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map from bytes to bytes.
 *
 * <p>A change returns a new map and leaves the old one unchanged: a reference is enough to keep a
 * version, and any thread may read it.
 */
final class SortedBytes {

  /*
   * A B-tree whose leaves are segments: arrays of about a kilobyte with a few entries in order. A
   * change copies one segment and the short path above it, and shares all else. A segment is
   * exactly as long as its entries, so there is no slack and no compaction, and a key costs hardly
   * more heap than its bytes. A large value is not copied with its segment: it stays in the pieces
   * in which it was put, and a writer that replaces one piece shares the others.
   *
   * The entries are in order: a prefix is a range, and two maps of equal content give equal
   * sequences of entries, whatever their past.
   */

  static final SortedBytes EMPTY = new SortedBytes(BTreeLeaf.EMPTY);

  private final Node root;

  private SortedBytes(Node root) {
    this.root = root;
  }

  /** Visitor of the entries in order, with their values in pieces. */
  @FunctionalInterface
  interface Visitor {

    /** Returns true to continue. */
    boolean visit(byte[] key, byte[][] value);
  }

  boolean isEmpty() {
    return root.isEmpty();
  }

  /** The number of entries. */
  int size() {
    return root.size();
  }

  /** The bytes of all entries, each with its lengths. Depends on the entries alone. */
  long bytes() {
    return root.bytes();
  }

  /** The number of entries whose keys have this prefix. Reads few of them. */
  int count(byte[] prefix) {
    byte[] after = prefix.clone();
    int last = after.length - 1;
    while (last >= 0 && ++after[last] == 0) {
      last--; // the next prefix of this length: 0xff carries over
    }
    int until = last < 0 ? root.size() : root.before(after);
    return until - root.before(prefix);
  }

  /** The value of the key as one array, or null. Nobody may write to it. */
  byte @Nullable [] get(byte[] key) {
    byte[][] pieces = root.get(key);
    return pieces == null ? null : whole(pieces);
  }

  /** The value of the key, or null. A large one is in the pieces in which it was put. */
  byte @Nullable [][] pieces(byte[] key) {
    return root.get(key);
  }

  /** All pieces as one array. */
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

  /**
   * The map with this value, which is all pieces in their order. Nobody may write to them any more.
   */
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

  /** Visits the entries whose keys have this prefix, from a key on, in order. */
  void scan(byte[] prefix, byte[] from, Visitor visitor) {
    byte[] begin = Arrays.compareUnsigned(from, prefix) > 0 ? from : prefix;
    root.scan(begin, (key, value) -> startsWith(key, prefix) && visitor.visit(key, value));
  }

  static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** A node of the tree. */
  interface Node {

    boolean isEmpty();

    /** The number of entries. */
    int size();

    /** The bytes of all entries. */
    long bytes();

    /** The number of entries with a lesser key. */
    int before(byte[] key);

    byte @Nullable [][] get(byte[] key);

    Node put(byte[] key, byte[][] value);

    /** The node without the key: the same object if the key is not there. */
    Node remove(byte[] key);

    /** Returns true to continue. */
    boolean scan(byte[] from, Visitor visitor);

    /** True if it must be split. */
    boolean isTooBig();

    /** True if it should be joined with a neighbour, if the two are not too big together. */
    boolean isSmall();

    Halves halves();

    /** This node and its right neighbour as one; null if that would be too big. */
    @Nullable Node joined(byte[] separator, Node right);

    /** This node without levels of one child above. */
    Node asRoot();
  }

  /**
   * The two halves of a node.
   *
   * @param separator greater than all keys to the left, and not greater than any to the right
   */
  record Halves(Node left, Bytes separator, Node right) {}
}
