package io.holdfast.simulation.cluster;

import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.simulation.Violation;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * I10: a linearizable read shows what was reached anywhere when it was asked, and of that revision
 * just what the log says.
 */
final class ReadsAreFresh implements ClusterInvariant {

  private final LockBook book;

  ReadsAreFresh(LockBook book) {
    this.book = book;
  }

  @Override
  public void read(String key, long askedAfter, long revision, List<Long> tokens) {
    require(revision >= askedAfter, key, () -> "at " + revision + ", asked after " + askedAfter);
    List<Long> expected = expected("lock|" + key, revision);
    require(tokens.equals(expected), key, () -> tokens + " at " + revision + " for " + expected);
  }

  private List<Long> expected(String id, long revision) {
    List<Change> changes = book.changes();
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      if (change.revision().value() <= revision && change.id().value().equals(id)) {
        return tokens(change.after());
      }
    }
    return List.of();
  }

  private static List<Long> tokens(@Nullable PublicRecord lock) {
    return lock == null
        ? List.of()
        : LockRecordReader.holders(lock).stream().map(holder -> holder.token().value()).toList();
  }

  private static void require(boolean holds, String key, Supplier<String> what) {
    if (!holds) {
      throw new Violation("I10 ReadsAreFresh", key + " is read " + what.get());
    }
  }
}
