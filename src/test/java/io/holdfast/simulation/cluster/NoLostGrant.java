package io.holdfast.simulation.cluster;

import io.holdfast.id.PersistenceId;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.simulation.journal.NodeProcess;
import java.util.Map;

/**
 * I3: what a client was told is in the log, and nothing but what names it ends it; every member's
 * journal leads to the same locks.
 */
final class NoLostGrant implements ClusterInvariant {

  private final JournalWorld world;
  private final LockBook book;

  NoLostGrant(JournalWorld world, LockBook book) {
    this.world = world;
    this.book = book;
  }

  @Override
  public void happened(Step step) {
    if (step.event() instanceof LockEvent.Forgotten) {
      require(step.before().isFree(), "is forgotten", step.before());
    } else if (step.event() instanceof LockEvent.Left left) {
      require(step.before().waiter(left.request()).isPresent(), "leaves and did not wait", left);
    }
  }

  @Override
  public void told(String key, LockCommand command, Outcome outcome) {
    if (outcome instanceof Outcome.Acquired acquired) {
      require(
          book.grant(acquired.token().value()).filter(it -> it.key().equals(key)).isPresent(),
          "is told and not in the log",
          acquired);
    } else if (outcome instanceof Outcome.Released released && released.count() == 0) {
      require(
          book.grant(released.token().value())
              .filter(grant -> grant.ending().isPresent())
              .isPresent(),
          "is told to have ended and has not",
          released);
    } else if (outcome instanceof Outcome.Waiting waiting) {
      require(book.hasQueued(key, waiting.request()), "is told to wait and does not", waiting);
    }
  }

  @Override
  public void ended() {
    for (NodeProcess process : world.processes()) {
      for (Map.Entry<String, Row> entry : book.rows().entrySet()) {
        String key = entry.getKey();
        LockState lock =
            LockHistoryReader.read(
                process.store().version(), book.shardOf(key), new PersistenceId("lock|" + key));
        Row has = new Row(lock.holder().orElse(null), lock.waiters());
        require(has.equals(entry.getValue()), process + " has another " + key, has);
      }
    }
  }

  private static void require(boolean holds, String what, Object which) {
    if (!holds) {
      throw new Violation("I3 NoLostGrant", what + ": " + which);
    }
  }
}
