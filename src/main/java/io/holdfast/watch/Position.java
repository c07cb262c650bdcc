package io.holdfast.watch;

/**
 * The progress of a watch: all its events up to a revision were told, and so many of the next
 * revision's. It is the same on every node, since the events of one revision have one order.
 */
public record Position(long revision, int ofNext) {

  public Position {
    if (revision < 0 || ofNext < 0) {
      throw new IllegalArgumentException("no position: [" + revision + "+" + ofNext + "]");
    }
  }

  /** Before the first event of a revision. */
  public static Position before(long revision) {
    return new Position(revision - 1, 0);
  }
}
