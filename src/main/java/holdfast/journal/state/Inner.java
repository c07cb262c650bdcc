package holdfast.journal.state;

import holdfast.journal.state.SortedBytes.Halves;
import holdfast.journal.state.SortedBytes.Node;
import holdfast.journal.state.SortedBytes.Visitor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A branching of the tree: parts in order, and between each two a separator. */
final class Inner implements Node {

  private static final int MAX_PARTS = 32;

  private final byte[][] separators;
  private final Node[] parts;

  private Inner(byte[][] separators, Node[] parts) {
    this.separators = separators;
    this.parts = parts;
  }

  /** A new top above a node that is too big. */
  static Inner above(Node big) {
    Halves halves = big.halves();
    return new Inner(
        new byte[][] {halves.separator().array()}, new Node[] {halves.left(), halves.right()});
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public byte @Nullable [] get(byte[] key) {
    return parts[find(key)].get(key);
  }

  @Override
  public Node put(byte[] key, byte[] value) {
    int at = find(key);
    Node part = parts[at].put(key, value);
    return part.isTooBig() ? cut(at, part.halves()) : with(at, part);
  }

  private Inner with(int at, Node part) {
    Node[] changed = parts.clone();
    changed[at] = part;
    return new Inner(separators, changed);
  }

  private Inner cut(int at, Halves halves) {
    byte[][] between = inserted(separators, at, halves.separator().array());
    Node[] changed = inserted(parts, at, halves.left());
    changed[at + 1] = halves.right();
    return new Inner(between, changed);
  }

  @Override
  public Node remove(byte[] key) {
    int at = find(key);
    Node part = parts[at].remove(key);
    if (part == parts[at]) {
      return this;
    } else if (part.isEmpty()) {
      return without(at);
    }
    Inner changed = with(at, part);
    if (!part.isSmall()) {
      return changed;
    }
    Inner joined = at + 1 < parts.length ? changed.join(at) : null;
    if (joined == null && at > 0) {
      joined = changed.join(at - 1);
    }
    return joined == null ? changed : joined;
  }

  private Node without(int at) {
    return parts.length == 1
        ? Leaf.EMPTY
        : new Inner(removed(separators, Math.max(0, at - 1)), removed(parts, at));
  }

  /** Itself with the part at this place and the next as one, or null if they are too big. */
  private @Nullable Inner join(int at) {
    Node one = parts[at].joined(separators[at], parts[at + 1]);
    if (one == null) {
      return null;
    }
    Node[] changed = removed(parts, at + 1);
    changed[at] = one;
    return new Inner(removed(separators, at), changed);
  }

  @Override
  public boolean scan(byte[] from, Visitor visitor) {
    for (int at = find(from); at < parts.length; at++) {
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
    return new Halves(
        new Inner(Arrays.copyOf(separators, cut - 1), Arrays.copyOf(parts, cut)),
        Bytes.of(separators[cut - 1]),
        new Inner(
            Arrays.copyOfRange(separators, cut, separators.length),
            Arrays.copyOfRange(parts, cut, parts.length)));
  }

  @Override
  public @Nullable Node joined(byte[] separator, Node right) {
    Inner other = (Inner) right;
    int length = parts.length + other.parts.length;
    if (length > MAX_PARTS * 3 / 4) {
      return null;
    }
    byte[][] between = Arrays.copyOf(separators, length - 1);
    between[parts.length - 1] = separator;
    System.arraycopy(other.separators, 0, between, parts.length, other.separators.length);
    Node[] all = Arrays.copyOf(parts, length);
    System.arraycopy(other.parts, 0, all, parts.length, other.parts.length);
    return new Inner(between, all);
  }

  @Override
  public Node asRoot() {
    return parts.length == 1 ? parts[0].asRoot() : this;
  }

  /** The part where the key is, if it is anywhere: that before the first greater separator. */
  private int find(byte[] key) {
    int low = 0;
    int high = separators.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(separators[middle], key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static <T> T[] inserted(T[] array, int at, T element) {
    T[] longer = Arrays.copyOf(array, array.length + 1);
    System.arraycopy(array, at, longer, at + 1, array.length - at);
    longer[at] = element;
    return longer;
  }

  private static <T> T[] removed(T[] array, int at) {
    T[] shorter = Arrays.copyOf(array, array.length - 1);
    System.arraycopy(array, at + 1, shorter, at, array.length - at - 1);
    return shorter;
  }
}
