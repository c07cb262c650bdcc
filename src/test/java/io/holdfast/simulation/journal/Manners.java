package io.holdfast.simulation.journal;

import java.util.List;
import java.util.SplittableRandom;

/** The behaviour of the actors of one run. */
enum Manners {
  /** As actors must: one append at a time, and one actor of a key under one epoch. */
  PROPER,
  /**
   * An actor has several appends on their way. Then nothing but the end of its epoch may refuse
   * one: else a later one could take effect after an earlier was refused, on what never happened.
   */
  PIPELINING,
  /**
   * A key may have two actors under one epoch. Then no key is forgotten: its numbering begins again
   * after that, and a twin could meet it by chance.
   */
  WITH_TWINS,
  /** As actors must, and there is room for few of them: many a grant is refused. */
  SHORT_OF_ROOM;

  static Manners any(SplittableRandom by) {
    List<Manners> all = List.of(PROPER, PIPELINING, WITH_TWINS);
    return all.get(by.nextInt(all.size()));
  }

  boolean pipeline() {
    return this == PIPELINING;
  }

  boolean isShortOfRoom() {
    return this == SHORT_OF_ROOM;
  }

  boolean haveTwins() {
    return this == WITH_TWINS;
  }

  boolean forget() {
    return this != WITH_TWINS;
  }
}
