package io.holdfast.simulation.cluster;

import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.simulation.Violation;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * I5: a client that believes to hold a lock holds it, unless somebody took it away on purpose. That
 * is asked after every event; a client that stands still is asked by its clock, as it asks itself
 * when it goes on.
 */
final class ClientStopsFirst implements ClusterInvariant.EachEvent {

  private final LockBook book;
  private final Supplier<List<LivingClient>> clients;
  private final Consumer<Belief> look = this::require;

  ClientStopsFirst(LockBook book, Supplier<List<LivingClient>> clients) {
    this.book = book;
    this.clients = clients;
  }

  @Override
  public void eventOver() {
    for (LivingClient client : clients.get()) {
      client.eachBelief(look);
    }
  }

  private void require(Belief belief) {
    if (!belief.believesToHold()) {
      return;
    }
    long token = belief.token();
    Row row = book.row(belief.key());
    if (row.isHeldBy(token) && book.isAlive(belief.life())) {
      return;
    }
    boolean isForced =
        book.grant(token)
            .flatMap(LockBook.Grant::ending)
            .filter(ending -> ending.cause() == GrantEnding.Cause.FORCED)
            .isPresent();
    boolean isRevoked =
        belief
            .life()
            .lease()
            .flatMap(book::gone)
            .filter(gone -> gone.cause() == LeaseEvent.Cause.REVOKED)
            .isPresent();
    if (!isForced && !isRevoked) {
      throw new Violation("I5 ClientStopsFirst", belief + " believes to hold, and has " + row);
    }
  }
}
