package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.simulation.Violation;
import io.holdfast.simulation.journal.JournalWorld;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * I7, I12: a negative answer was true, by the log, at some moment between the sending of what it
 * answers and its receipt. Who is told that nothing is there gives nothing back.
 */
final class TrueNegatives implements ClusterInvariant {

  private final JournalWorld world;
  private final LockBook book;
  private final Map<LeaseLife, Long> begunUs = new HashMap<>();
  private final Map<RequestId, Long> queuedUs = new HashMap<>();

  TrueNegatives(JournalWorld world, LockBook book) {
    this.world = world;
    this.book = book;
  }

  @Override
  public void began(LeaseLife lease, LeaseTerms terms) {
    begunUs.put(lease, world.nowUs());
  }

  @Override
  public void ended(LeaseLife lease, LeaseEvent.Cause cause) {
    begunUs.remove(lease);
  }

  @Override
  public void happened(Step step) {
    if (step.event() instanceof LockEvent.Queued entered) {
      queuedUs.put(entered.waiter().request().id(), world.nowUs());
    }
  }

  @Override
  public void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {
    if (!(answer.outcome() instanceof Outcome.Refused refused)) {
      return;
    } else if (refused.refusal() instanceof Refusal.NotHolder not) {
      requireGone(key, not.token().value(), sentUs, command);
    } else if (refused.refusal() instanceof Refusal.Held held) {
      refusedFor(key, held.holder().token().value(), answer.revision().value(), sentUs);
    } else if (refused.refusal() instanceof Refusal.LeftQueue left) {
      boolean waits = book.row(key).waiter(left.request()).isPresent();
      require(!waits, () -> left.request() + " is told to have left the queue of " + key);
    } else if (refused.refusal() instanceof Refusal.LeaseGone gone) {
      require(!begunUs.containsKey(gone.lease()), () -> gone.lease() + " is told to have ended");
    }
  }

  @Override
  public void refusedFor(String key, long holder, long revision, long sentUs) {
    boolean wasHeld =
        book.grant(holder)
            .filter(grant -> grant.isOf(key) && !grant.endedBefore(sentUs))
            .isPresent();
    require(wasHeld, () -> "a request for " + key + " is refused for " + holder);
  }

  @Override
  public void judged(Renewal renewal, Renewal.Answer answer, long sentUs) {
    if (answer.alive()) {
      return;
    } else if (renewal instanceof Renewal.OfGrant grant) {
      requireGone(grant.key().value(), grant.token().value(), sentUs, renewal);
    } else if (renewal instanceof Renewal.OfLease lease) {
      begunUs.forEach(
          (alive, sinceUs) -> {
            boolean isMeant =
                alive.id().equals(lease.id())
                    && (lease.incarnation().equals(Revision.NONE)
                        || alive.incarnation().equals(lease.incarnation()));
            require(!isMeant || sinceUs > sentUs, () -> renewal + " is told to be dead");
          });
    } else if (renewal instanceof Renewal.OfRequest request) {
      boolean waits = book.row(request.key().value()).waiter(request.request()).isPresent();
      boolean waited = queuedUs.getOrDefault(request.request(), Long.MAX_VALUE) <= sentUs;
      require(!waits || !waited, () -> renewal + " is told to be dead");
    }
  }

  private void requireGone(String key, long token, long sentUs, Object asked) {
    boolean heldAllTheTime =
        book.grant(token)
            .filter(
                grant ->
                    grant.isOf(key)
                        && grant.sinceUs() <= sentUs
                        && grant.ending().isEmpty()
                        && book.isAlive(grant.life()))
            .isPresent();
    require(!heldAllTheTime, () -> asked + " is told that it does not hold");
  }

  private static void require(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation("I7 TrueNegatives", what.get());
    }
  }
}
