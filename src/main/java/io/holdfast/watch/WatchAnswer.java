package io.holdfast.watch;

import io.holdfast.id.Revision;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A message to a stream about one of its watches. */
public sealed interface WatchAnswer {

  long watch();

  /** All events of the watch up to this revision have been told, with this answer. */
  Revision revision();

  /** The watch exists from here on. */
  record Created(long watch, Revision revision, Position position) implements WatchAnswer {}

  /** Its next events, in order. One revision's may be spread over several answers. */
  record Events(long watch, Revision revision, Position position, List<LockChange> changes)
      implements WatchAnswer {}

  /** Nothing else has happened up to the revision. */
  record Mark(long watch, Revision revision, Position position) implements WatchAnswer {}

  /**
   * The watch has ended, or is refused.
   *
   * @param reached null if it never began
   * @param available the first revision that a watch can start from now
   */
  record Ended(
      long watch, Revision revision, WatchEnding why, @Nullable Position reached, long available)
      implements WatchAnswer {

    /** The position that it came to; empty if it never began. */
    public Optional<Position> position() {
      return Optional.ofNullable(reached);
    }
  }
}
