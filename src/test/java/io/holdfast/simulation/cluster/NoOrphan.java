package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.ShardId;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import io.holdfast.wire.Renewal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * I7: nothing is granted to the dead, and once all is calm a holder or waiter without life is gone
 * soon after its time, counted from its last keepalive or its shard's last recovery.
 */
final class NoOrphan implements ClusterInvariant.EachEvent {

  private static final double SLOWEST = 1.011;

  /**
   * The slack of an ending: it is told again after a second; and a commit, or an actor's fail-over,
   * in between.
   */
  private static final long SLACK_US = 3_500_000;

  private final JournalWorld world;
  private final LockBook book;
  private final Map<Object, Long> lastSignUs = new HashMap<>();
  private long calmUs;

  NoOrphan(JournalWorld world, LockBook book) {
    this.world = world;
    this.book = book;
  }

  @Override
  public void kept(NodeProcess by, Renewal renewal, long ageMs, Renewal.Answer answer) {
    if (renewal instanceof Renewal.OfLease lease) {
      sign(LeaseLife.of(lease.id(), answer.incarnation()), ageMs);
    } else if (answer.token() != 0) {
      sign(answer.token(), ageMs);
    } else if (renewal instanceof Renewal.OfRequest request) {
      sign(request.request(), ageMs);
    }
  }

  @Override
  public void came(String key, LockCommand.Acquire acquire) {
    sign(acquire.request().id());
    Holder holder = book.row(key).holder();
    if (holder != null && holder.request().id().equals(acquire.request().id())) {
      sign(holder.token().value());
    }
  }

  @Override
  public void began(LeaseLife lease, LeaseTerms terms) {
    sign(lease);
  }

  private void sign(Object what) {
    sign(what, 0);
  }

  private void sign(Object what, long ageMs) {
    lastSignUs.merge(what, world.nowUs() - ageMs * 1_000, Math::max);
  }

  @Override
  public void happened(Step step) {
    step.granted().ifPresent(holder -> begins(step, holder.token().value(), holder.life()));
    if (step.event() instanceof LockEvent.Reentered again) {
      sign(again.token().value());
    } else if (step.event() instanceof LockEvent.SteppedOut lives) { // who releases once is alive
      sign(lives.token().value());
    } else if (step.event() instanceof LockEvent.Queued queued) {
      Waiter waiter = queued.waiter();
      begins(step, waiter.request().id(), waiter.life());
    }
  }

  private void begins(Step step, Object what, Lifetime life) {
    sign(what);
    if (!book.isAlive(life)) {
      throw new Violation("I7 NoOrphan", "for the dead: " + step.event());
    }
  }

  @Override
  public void eventOver() {
    if (!world.isCalm() || calmUs == 0) {
      calmUs = world.isCalm() ? world.nowUs() : 0;
    } else if (world.nowUs() > lookedUs + 50_000) {
      lookedUs = world.nowUs();
      book.rows().forEach(this::look);
      book.leases()
          .forEach(
              (lease, terms) ->
                  require(
                      lease,
                      /* shard= */ null,
                      lease,
                      terms.ttl().millis(),
                      () -> "the lease " + lease));
    }
  }

  private long lookedUs;

  private void look(String key, Row row) {
    ShardId shard = book.shardOf(key);
    Holder holder = row.holder();
    if (holder != null) {
      look(key, shard, holder.token().value(), holder.life(), row);
    }
    for (Waiter waiter : row.queue()) {
      look(key, shard, waiter.request().id(), waiter.life(), row);
    }
  }

  private void look(String key, ShardId shard, Object what, Lifetime life, Row row) {
    LeaseLife lease = life.lease().orElse(null);
    if (lease == null) {
      require(what, shard, what, life.ttl().millis(), () -> key + " " + row);
    } else if (!book.isAlive(lease)) {
      long goneUs = book.gone(lease).map(LockBook.Gone::atUs).orElse(0L);
      long sinceUs = Math.max(Math.max(goneUs, calmUs), book.acquiredUs(shard));
      require(world.nowUs() - sinceUs < SLACK_US, () -> key + " " + row);
    }
  }

  private void require(
      Object sign, @Nullable ShardId shard, Object what, long ttlMs, Supplier<String> where) {
    long recoveredUs =
        shard != null
            ? book.acquiredUs(shard)
            : Math.max(book.acquiredUs(ShardId.of(0)), book.acquiredUs(ShardId.of(1)));
    long sinceUs = Math.max(lastSignUs.getOrDefault(sign, 0L), Math.max(recoveredUs, calmUs));
    double withinUs = (ttlMs + NodeProcess.TIMES.ttlMs()) * 1_000 * SLOWEST + SLACK_US;
    require(world.nowUs() - sinceUs < withinUs, () -> what + " of " + where.get());
  }

  private static void require(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation("I7 NoOrphan", what.get());
    }
  }
}
