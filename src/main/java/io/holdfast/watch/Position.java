package io.holdfast.watch;

import io.holdfast.id.Revision;

/**
 * The progress of a watch: all its events up to a revision were told, and so many of the next
 * revision's. It is the same on every node, since the events of one revision have one order.
 */
public record Position(Revision revision, int ofNext) {

  public Position {
    if (ofNext < 0) {
      throw new IllegalArgumentException("no position: [" + revision + "+" + ofNext + "]");
    }
  }

  /** Before the first event of a revision. */
  public static Position before(Revision revision) {
    return new Position(new Revision(revision.value() - 1), 0);
  }
}
