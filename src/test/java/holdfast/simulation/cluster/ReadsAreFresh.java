package holdfast.simulation.cluster;

import holdfast.journal.LockRecord;
import holdfast.journal.state.Change;
import holdfast.lock.Holder;
import holdfast.simulation.Violation;
import java.util.List;

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
  public void read(String key, long askedAfter, long revision, List<Holder> holders) {
    require(revision >= askedAfter, key, "at " + revision + ", asked after " + askedAfter);
    List<Holder> expected = List.of();
    for (Change change : book.changes()) {
      if (change.revision() <= revision && change.id().equals("lock|" + key)) {
        expected = change.after() == null ? List.of() : LockRecord.holders(change.after());
      }
    }
    require(holders.equals(expected), key, holders + " at " + revision + " for " + expected);
  }

  private static void require(boolean holds, String key, String what) {
    if (!holds) {
      throw new Violation("I10 ReadsAreFresh", key + " is read " + what);
    }
  }
}
