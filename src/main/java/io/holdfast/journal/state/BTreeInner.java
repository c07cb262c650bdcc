package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.journal.state.SortedBytes.Halves;
import io.holdfast.journal.state.SortedBytes.Node;
import io.holdfast.journal.state.SortedBytes.Visitor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An inner node of the tree: its children in order with their sizes, and a separator between each
 * two.
 */
final class BTreeInner implements Node {

  private static final int MAX_PARTS = 64;

  private final BTreeSeparators separators;
  private final Node[] parts;
  private final int[] sizes;
  private final long bytes;

  private BTreeInner(BTreeSeparators separators, Node[] parts, int[] sizes, long bytes) {
    this.separators = separators;
    this.parts = parts;
    this.sizes = sizes;
    this.bytes = bytes;
  }

  /** A new root above a node that is too big. */
  static BTreeInner above(Node big) {
    Halves halves = big.halves();
    return new BTreeInner(
        BTreeSeparators.NONE.with(0, halves.separator().array()),
        new Node[] {halves.left(), halves.right()},
        new int[] {halves.left().size(), halves.right().size()},
        big.bytes());
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public int size() {
    return sum(sizes.length);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int before(byte[] key) {
    int at = separators.find(key);
    return sum(at) + parts[at].before(key);
  }

  private int sum(int end) {
    int sum = 0;
    for (int at = 0; at < end; at++) {
      sum += sizes[at];
    }
    return sum;
  }

  @Override
  public byte @Nullable [][] get(byte[] key) {
    return parts[separators.find(key)].get(key);
  }

  @Override
  public Node put(byte[] key, byte[][] value) {
    int at = separators.find(key);
    Node part = parts[at].put(key, value);
    return part.isTooBig() ? cut(at, part.halves()) : with(at, part);
  }

  private BTreeInner with(int at, Node part) {
    Node[] changed = parts.clone();
    changed[at] = part;
    int[] resized = sizes.clone();
    resized[at] = part.size();
    return new BTreeInner(separators, changed, resized, bytes - parts[at].bytes() + part.bytes());
  }

  private BTreeInner cut(int at, Halves halves) {
    Node[] changed = Arrays.copyOf(parts, parts.length + 1);
    System.arraycopy(parts, at, changed, at + 1, parts.length - at);
    changed[at] = halves.left();
    changed[at + 1] = halves.right();
    int[] resized = Arrays.copyOf(sizes, sizes.length + 1);
    System.arraycopy(sizes, at, resized, at + 1, sizes.length - at);
    resized[at] = halves.left().size();
    resized[at + 1] = halves.right().size();
    return new BTreeInner(
        separators.with(at, halves.separator().array()),
        changed,
        resized,
        bytes - parts[at].bytes() + halves.left().bytes() + halves.right().bytes());
  }

  @Override
  public Node remove(byte[] key) {
    int at = separators.find(key);
    Node part = parts[at].remove(key);
    if (part == parts[at]) {
      return this;
    } else if (part.isEmpty()) {
      return without(at);
    }
    BTreeInner changed = with(at, part);
    if (!part.isSmall()) {
      return changed;
    }
    BTreeInner joined = at + 1 < parts.length ? changed.join(at) : null;
    if (joined == null && at > 0) {
      joined = changed.join(at - 1);
    }
    return joined == null ? changed : joined;
  }

  private Node without(int at) {
    return parts.length == 1
        ? BTreeLeaf.EMPTY
        : new BTreeInner(
            separators.without(Math.max(0, at - 1)),
            removed(parts, at),
            removed(sizes, at),
            bytes - parts[at].bytes());
  }

  /** This node with the child at this place and the next as one child; null if they are too big. */
  private @Nullable BTreeInner join(int at) {
    Node one = parts[at].joined(separators.get(at), parts[at + 1]);
    if (one == null) {
      return null;
    }
    Node[] changed = removed(parts, at + 1);
    changed[at] = one;
    int[] resized = removed(sizes, at + 1);
    resized[at] = sizes[at] + sizes[at + 1];
    return new BTreeInner(separators.without(at), changed, resized, bytes);
  }

  @Override
  public boolean scan(byte[] from, Visitor visitor) {
    for (int at = separators.find(from); at < parts.length; at++) {
      if (!parts[at].scan(from, visitor)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isTooBig() {
    return parts.length > MAX_PARTS;
  }

  @Override
  public boolean isSmall() {
    return parts.length < MAX_PARTS / 4;
  }

  @Override
  public Halves halves() {
    int cut = parts.length / 2;
    return new Halves(part(0, cut), Bytes.of(separators.get(cut - 1)), part(cut, parts.length));
  }

  private BTreeInner part(int from, int to) {
    Node[] some = Arrays.copyOfRange(parts, from, to);
    long sum = 0;
    for (Node part : some) {
      sum += part.bytes();
    }
    return new BTreeInner(
        separators.range(from, to - 1), some, Arrays.copyOfRange(sizes, from, to), sum);
  }

  @Override
  public @Nullable Node joined(byte[] separator, Node right) {
    BTreeInner other = (BTreeInner) right;
    int length = parts.length + other.parts.length;
    if (length > MAX_PARTS * 3 / 4) {
      return null;
    }
    Node[] all = Arrays.copyOf(parts, length);
    System.arraycopy(other.parts, 0, all, parts.length, other.parts.length);
    int[] counts = Arrays.copyOf(sizes, length);
    System.arraycopy(other.sizes, 0, counts, sizes.length, other.sizes.length);
    return new BTreeInner(
        separators.joined(separator, other.separators), all, counts, bytes + other.bytes);
  }

  @Override
  public Node asRoot() {
    return parts.length == 1 ? parts[0].asRoot() : this;
  }

  private static Node[] removed(Node[] array, int at) {
    Node[] shorter = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, at + 1, shorter, at, array.length - at - 1);
    return shorter;
  }

  private static int[] removed(int[] array, int at) {
    int[] shorter = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, at + 1, shorter, at, array.length - at - 1);
    return shorter;
  }
}
