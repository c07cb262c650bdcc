package io.holdfast.lock.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable list with logarithmic lookup, insertion and removal at any index. A change returns a
 * new sequence, which shares all but one path with the old one.
 */
final class Sequence<E> implements Iterable<E> {

  /* A weight-balanced tree: no side has more than three times the elements of the other. A tree of
   * ten thousand elements is about twenty levels deep. The factors are those of Hirai and Yamamoto,
   * "Balancing weight-balanced trees": with them one single or double rotation is enough after each
   * change.
   */

  private static final int MOST = 3;
  private static final int TWICE = 2;
  private static final Sequence<?> EMPTY = new Sequence<>(null);

  private record Node<E>(@Nullable Node<E> left, E element, @Nullable Node<E> right, int size) {}

  private final @Nullable Node<E> root;

  private Sequence(@Nullable Node<E> root) {
    this.root = root;
  }

  @SuppressWarnings("unchecked") // it is empty
  static <E> Sequence<E> empty() {
    return (Sequence<E>) EMPTY;
  }

  static <E> Sequence<E> of(List<E> all) {
    return all.isEmpty() ? empty() : new Sequence<>(balanced(all, 0, all.size()));
  }

  private static <E> @Nullable Node<E> balanced(List<E> all, int from, int to) {
    int middle = (from + to) >>> 1;
    return from == to
        ? null
        : node(balanced(all, from, middle), all.get(middle), balanced(all, middle + 1, to));
  }

  int size() {
    return size(root);
  }

  boolean isEmpty() {
    return root == null;
  }

  E get(int index) {
    Node<E> at = root;
    int left = index;
    while (at != null) {
      int before = size(at.left);
      if (left == before) {
        return at.element;
      } else if (left < before) {
        at = at.left;
      } else {
        left -= before + 1;
        at = at.right;
      }
    }
    throw new IndexOutOfBoundsException("no element [" + index + "] of [" + size() + "]");
  }

  /**
   * Returns the number of leading elements that match. No element after the first mismatch may
   * match.
   */
  int countWhile(Predicate<? super E> isBefore) {
    int count = 0;
    Node<E> at = root;
    while (at != null) {
      if (isBefore.test(at.element)) {
        count += size(at.left) + 1;
        at = at.right;
      } else {
        at = at.left;
      }
    }
    return count;
  }

  /** Returns this sequence with one more element at this index. */
  Sequence<E> with(int index, E element) {
    return new Sequence<>(added(root, index, element));
  }

  private static <E> Node<E> added(@Nullable Node<E> at, int index, E element) {
    if (at == null) {
      return new Node<>(null, element, null, 1);
    }
    int before = size(at.left);
    return index <= before
        ? balance(added(at.left, index, element), at.element, at.right)
        : balance(at.left, at.element, added(at.right, index - before - 1, element));
  }

  /** With another one at this index. */
  Sequence<E> replaced(int index, E element) {
    return new Sequence<>(replaced(there(root), index, element));
  }

  private static <E> Node<E> replaced(Node<E> at, int index, E element) {
    int before = size(at.left);
    if (index == before) {
      return new Node<>(at.left, element, at.right, at.size);
    }
    return index < before
        ? new Node<>(replaced(there(at.left), index, element), at.element, at.right, at.size)
        : new Node<>(
            at.left, at.element, replaced(there(at.right), index - before - 1, element), at.size);
  }

  /** Without the one at this index. */
  Sequence<E> without(int index) {
    Node<E> rest = without(there(root), index);
    return rest == null ? empty() : new Sequence<>(rest);
  }

  private static <E> @Nullable Node<E> without(Node<E> at, int index) {
    int before = size(at.left);
    if (index < before) {
      return balance(without(there(at.left), index), at.element, at.right);
    } else if (index > before) {
      return balance(at.left, at.element, without(there(at.right), index - before - 1));
    } else if (at.left == null || at.right == null) {
      return at.left == null ? at.right : at.left;
    }
    return before > size(at.right)
        ? balance(without(at.left, before - 1), last(at.left), at.right)
        : balance(at.left, first(at.right), without(at.right, 0));
  }

  private static <E> E first(Node<E> at) {
    return at.left == null ? at.element : first(at.left);
  }

  private static <E> E last(Node<E> at) {
    return at.right == null ? at.element : last(at.right);
  }

  private static int size(@Nullable Node<?> node) {
    return node == null ? 0 : node.size;
  }

  private static <E> Node<E> there(@Nullable Node<E> node) {
    if (node == null) {
      throw new IndexOutOfBoundsException("no such element");
    }
    return node;
  }

  private static <E> Node<E> node(@Nullable Node<E> left, E element, @Nullable Node<E> right) {
    return new Node<>(left, element, right, size(left) + 1 + size(right));
  }

  /** Returns a balanced node. The sides may be out of balance by one element. */
  private static <E> Node<E> balance(@Nullable Node<E> left, E element, @Nullable Node<E> right) {
    int onLeft = size(left);
    int onRight = size(right);
    if (right != null && onLeft + onRight > 1 && onRight > MOST * onLeft) {
      Node<E> inner = right.left;
      return inner == null || inner.size < TWICE * size(right.right)
          ? node(node(left, element, inner), right.element, right.right)
          : node(
              node(left, element, inner.left),
              inner.element,
              node(inner.right, right.element, right.right));
    } else if (left != null && onLeft + onRight > 1 && onLeft > MOST * onRight) {
      Node<E> inner = left.right;
      return inner == null || inner.size < TWICE * size(left.left)
          ? node(left.left, left.element, node(inner, element, right))
          : node(
              node(left.left, left.element, inner.left),
              inner.element,
              node(inner.right, element, right));
    }
    return node(left, element, right);
  }

  @Override
  public Iterator<E> iterator() {
    Deque<Node<E>> path = new ArrayDeque<>();
    push(path, root);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return !path.isEmpty();
      }

      @Override
      public E next() {
        if (path.isEmpty()) {
          throw new NoSuchElementException();
        }
        Node<E> at = path.pop();
        push(path, at.right);
        return at.element;
      }
    };
  }

  private static <E> void push(Deque<Node<E>> path, @Nullable Node<E> from) {
    for (Node<E> at = from; at != null; at = at.left) {
      path.push(at);
    }
  }
}
