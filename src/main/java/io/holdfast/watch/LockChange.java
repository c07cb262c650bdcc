package io.holdfast.watch;

import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.PublicRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One public change of one lock.
 *
 * @param weight about how many bytes it has, in memory and on the wire
 */
public record LockChange(String key, Change change, int weight) {

  /** The beginning of the journal's ids of locks; their keys follow. */
  static final String LOCKS = "lock|";

  /** The weight of a change besides its contents. */
  private static final int FRAME = 256;

  /** Reads a change of the journal; empty if it is of something else than a lock. */
  static Optional<LockChange> of(Change change) {
    if (!change.id().value().startsWith(LOCKS)) {
      return Optional.empty();
    }
    String key = key(change.id());
    int weight =
        FRAME
            + 2 * key.length()
            + weight(change.before())
            + weight(change.after())
            + change.note().size();
    return Optional.of(new LockChange(key, change, weight));
  }

  static String key(PersistenceId id) {
    return id.value().substring(LOCKS.length());
  }

  public Revision revision() {
    return change.revision();
  }

  private static int weight(@Nullable PublicRecord record) {
    return record == null
        ? 0
        : record.parts().stream().mapToInt(part -> part.content().size()).sum();
  }
}
