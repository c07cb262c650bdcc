package io.holdfast.simulation.cluster;

import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.simulation.Violation;
import java.util.List;
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
    require(revision >= askedAfter, key, "at " + revision + ", asked after " + askedAfter);
    List<Long> expected = List.of();
    for (Change change : book.changes()) {
      if (change.revision().value() <= revision && change.id().value().equals("lock|" + key)) {
        expected = tokens(change.after());
      }
    }
    require(tokens.equals(expected), key, tokens + " at " + revision + " for " + expected);
  }

  private static List<Long> tokens(@Nullable PublicRecord lock) {
    return lock == null
        ? List.of()
        : LockRecordReader.holders(lock).stream().map(holder -> holder.token().value()).toList();
  }

  private static void require(boolean holds, String key, String what) {
    if (!holds) {
      throw new Violation("I10 ReadsAreFresh", key + " is read " + what);
    }
  }
}
