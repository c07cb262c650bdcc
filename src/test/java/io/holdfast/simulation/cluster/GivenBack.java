package io.holdfast.simulation.cluster;

import io.holdfast.lock.Holder;
import io.holdfast.lock.Waiter;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * I7: what is to be given back by somebody who lives is gone soon after all is calm, also if its
 * ttl is long: the grant of a token, and whatever a request was granted.
 */
final class GivenBack implements ClusterInvariant.EachEvent {

  /** An unanswered release is sent again after a second; the rest is for a commit and a pause. */
  private static final long WITHIN_US = 3_000_000;

  private static final long LOOK_EVERY_US = 50_000;

  private record Over(long sinceUs, LongSupplier runsSinceUs) {}

  private final JournalWorld world;
  private final LockBook book;
  private final Map<Object, Over> over = new HashMap<>();
  private long calmUs;
  private long lookedUs;

  GivenBack(JournalWorld world, LockBook book) {
    this.world = world;
    this.book = book;
  }

  @Override
  public void givenBack(String key, Object what, LongSupplier runsSinceUs) {
    over.putIfAbsent(what, new Over(world.nowUs(), runsSinceUs));
  }

  @Override
  public void eventOver() {
    if (!world.isCalm()) {
      calmUs = 0;
    } else if (calmUs == 0) {
      calmUs = world.nowUs();
    } else if (world.nowUs() > lookedUs + LOOK_EVERY_US) {
      lookedUs = world.nowUs();
      book.rows().forEach(this::look);
    }
  }

  private void look(String key, Row row) {
    long calmSinceUs = Math.max(calmUs, book.acquiredUs(book.shardOf(key)));
    Holder holder = row.holder();
    if (holder != null) {
      require(holder.token().value(), calmSinceUs, key, row);
      require(holder.request().id(), calmSinceUs, key, row);
    }
    for (Waiter waiter : row.queue()) {
      require(waiter.request().id(), calmSinceUs, key, row);
    }
  }

  private void require(Object what, long calmSinceUs, String key, Row row) {
    Over given = over.get(what);
    if (given == null) {
      return;
    }
    long runsSinceUs = Math.max(given.sinceUs, given.runsSinceUs.getAsLong());
    if (world.nowUs() - WITHIN_US > Math.max(runsSinceUs, calmSinceUs)) {
      throw new Violation("I7 GivenBack", what + " of " + key + " was given back: " + row);
    }
  }
}
