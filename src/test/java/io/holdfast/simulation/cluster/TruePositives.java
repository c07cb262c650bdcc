package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.simulation.Violation;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.function.Supplier;

/**
 * I4: if a client is told that it holds a grant, or that a lease lives, that was so by the log at
 * some moment between the question's sending and the answer's receipt. A node may hear a little
 * late of an end that somebody asked for, and of that of a lease that another node keeps: what is
 * told of a grant on it promises no time.
 */
final class TruePositives implements ClusterInvariant {

  /** As {@link HangsOnLease} allows it. */
  private static final long HEARD_WITHIN_US = 2_000_000;

  private final LockBook book;

  TruePositives(LockBook book) {
    this.book = book;
  }

  @Override
  public void heard(String key, LockCommand command, LockAnswer answer, long sentUs) {
    if (answer.outcome() instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      stands(key, acquired.token().value(), answer.revision().value(), sentUs);
    }
  }

  @Override
  public void stands(String key, long token, long revision, long sentUs) {
    LockBook.Grant grant = book.grant(token).filter(it -> it.isOf(key)).orElse(null);
    require(
        grant != null && !grant.endedBefore(sentUs), () -> key + " is told to be held by " + token);
  }

  @Override
  public void judged(Renewal renewal, Renewal.Answer answer, long sentUs) {
    if (!answer.alive()) {
      return;
    } else if (renewal instanceof Renewal.OfGrant of) {
      LockBook.Grant grant = book.grant(of.token().value()).orElse(null);
      require(grant != null && grant.isOf(of.key().value()), () -> renewal + " is no grant");
      if (grant != null) {
        require(!grant.endedBefore(sentUs - latenessUs(grant)), () -> renewal + " is told to live");
        grant
            .life()
            .lease()
            .ifPresent(lease -> requireLife(lease, renewal, sentUs - HEARD_WITHIN_US));
      }
    } else if (renewal instanceof Renewal.OfLease of) {
      requireLife(LeaseLife.of(of.id(), answer.incarnation()), renewal, sentUs);
    }
  }

  private static long latenessUs(LockBook.Grant grant) {
    boolean isDue =
        grant.ending().filter(ending -> ending.cause() == GrantEnding.Cause.EXPIRED).isPresent();
    return isDue ? 0 : HEARD_WITHIN_US;
  }

  private void requireLife(LeaseLife lease, Renewal renewal, long sentUs) {
    boolean wasGone =
        book.gone(lease)
            .filter(gone -> gone.atUs() < sentUs - latenessUs(gone.cause()))
            .isPresent();
    require(!wasGone, () -> renewal + " is told to live by " + lease);
  }

  private static long latenessUs(LeaseEvent.Cause cause) {
    return cause == LeaseEvent.Cause.EXPIRED ? 0 : HEARD_WITHIN_US;
  }

  private static void require(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation("I4 TruePositives", what.get());
    }
  }
}
