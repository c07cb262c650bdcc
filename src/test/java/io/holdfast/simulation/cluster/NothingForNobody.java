package io.holdfast.simulation.cluster;

import io.holdfast.lock.Holder;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import io.holdfast.simulation.Violation;
import java.util.HashSet;
import java.util.Set;

/**
 * I7: what a client was told for good stays so. Once its request is refused or cancelled, no copy
 * of it is granted the lock, and none holds it.
 */
final class NothingForNobody implements ClusterInvariant {

  private record Over(String key, RequestId request) {}

  private final LockBook book;
  private final Set<Over> over = new HashSet<>();

  NothingForNobody(LockBook book) {
    this.book = book;
  }

  @Override
  public void told(String key, LockCommand command, Outcome outcome) {
    if (command instanceof LockCommand.Cancel cancel && outcome instanceof Outcome.Cancelled) {
      isOver(key, cancel.request(), "cancelled");
    }
  }

  @Override
  public void refusedForGood(String key, RequestId request) {
    isOver(key, request, "refused");
  }

  private void isOver(String key, RequestId request, String how) {
    over.add(new Over(key, request));
    Holder holder = book.row(key).holder();
    boolean holds =
        holder != null && holder.request().id().equals(request) && book.isAlive(holder.life());
    if (holds || book.row(key).waiter(request).isPresent()) {
      throw new Violation("I7 NothingForNobody", request + " is " + how + ": " + book.row(key));
    }
  }

  @Override
  public void happened(Step step) {
    step.granted()
        .filter(holder -> over.contains(new Over(step.key(), holder.request().id())))
        .ifPresent(
            holder -> {
              throw new Violation("I7 NothingForNobody", step.event() + " was told to be over");
            });
  }
}
