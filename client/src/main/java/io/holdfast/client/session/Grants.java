package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The held grants. They are renewed by their tokens, and count as lost before the server can grant
 * their locks to others.
 */
final class Grants {

  private static final long MIN_PATIENCE_MILLIS = 200;

  private final Operations operations;
  private final GivingBack givingBack;
  private final Set<HeldGrant> held = new LinkedHashSet<>();

  /** The earliest time at which a grant may be due; a lower bound. */
  private long attentionAt;

  Grants(Operations operations, GivingBack givingBack) {
    this.operations = operations;
    this.givingBack = givingBack;
  }

  boolean isEmpty() {
    return held.isEmpty();
  }

  void add(HeldGrant grant, long now) {
    if (held.isEmpty()) {
      attentionAt = grant.validity().deadlineNanos();
    }
    held.add(grant);
    renewAt(grant, now + third(grant));
    attendAt(grant.validity().deadlineNanos());
  }

  private void renewAt(HeldGrant grant, long at) {
    grant.renewAt = at;
    attendAt(at);
  }

  private void attendAt(long at) {
    if (attentionAt - at > 0) {
      attentionAt = at;
    }
  }

  private boolean isQuiet(long now) {
    return held.isEmpty() || attentionAt - now > 0;
  }

  private static long third(HeldGrant grant) {
    return DeadlineRules.nanos(grant.validity().ttlMillis()) / 3;
  }

  /** Reports grants that have passed their deadline, before a renewal can extend it. */
  void expire(long now) {
    if (isQuiet(now)) {
      return;
    }
    for (HeldGrant grant : List.copyOf(held)) {
      if (!grant.validity().isSureAt(now)) {
        lose(grant, LossCause.DEADLINE_PASSED, now);
      }
    }
  }

  /** The server may still hold it: release it. */
  void lose(HeldGrant grant, LossCause reason, long now) {
    if (held.remove(grant)) {
      grant.lose(reason);
      if (reason == LossCause.DEADLINE_PASSED) {
        releaseQuietly(grant, now);
      }
    }
  }

  /** Handles the end of the session's lease; grants with their own ttl live on. */
  void sessionEnded(Validity lease, LossCause reason) {
    for (HeldGrant grant : List.copyOf(held)) {
      if (grant.validity() == lease) {
        held.remove(grant);
        grant.lose(reason);
      }
    }
  }

  /** Prepares the end of the session: grants with their own ttl are released one by one. */
  void loseAll(LossCause reason, long now) {
    for (HeldGrant grant : List.copyOf(held)) {
      held.remove(grant);
      grant.lose(reason);
      if (!grant.isOfSession()) {
        releaseQuietly(grant, now);
      }
    }
  }

  /**
   * Renews the grants that are due. It extends those with their own ttl, and checks that those of
   * the session still exist.
   */
  void renewDue(long now) {
    if (isQuiet(now)) {
      return;
    }
    for (HeldGrant grant : List.copyOf(held)) {
      if (!grant.isRenewing && grant.renewAt - now <= 0) {
        renew(grant, now);
      }
    }
    lookAgain();
  }

  private void lookAgain() {
    boolean isFirst = true;
    for (HeldGrant grant : held) {
      long deadline = grant.validity().deadlineNanos();
      long wanted = grant.isRenewing || grant.renewAt - deadline > 0 ? deadline : grant.renewAt;
      attentionAt = isFirst || attentionAt - wanted > 0 ? wanted : attentionAt;
      isFirst = false;
    }
  }

  private void renew(HeldGrant grant, long now) {
    grant.isRenewing = true;
    long patience = Math.max(third(grant), DeadlineRules.nanos(MIN_PATIENCE_MILLIS));
    operations.ask(
        grant.key(),
        Operation.newBuilder()
            .setRenew(
                RenewRequest.newBuilder()
                    .setKey(grant.key())
                    .setFencingToken(grant.fencingToken())),
        new Reply() {
          @Override
          public void onAnswer(Answer answer, long firstSentNanos, long answeredAt) {
            grant.isRenewing = false;
            renewAt(grant, firstSentNanos + third(grant));
            if (!answer.getRenew().getHeldNow()) {
              lose(grant, LossCause.TAKEN_AWAY, answeredAt);
            } else if (!grant.isOfSession()) {
              grant.validity().renewed(firstSentNanos, answer.getRenew().getGrantedTtlMs());
            }
          }

          @Override
          public void onFailure(Failure failure, long failedAt) {
            grant.isRenewing = false;
            renewAt(grant, failedAt);
            if (failure instanceof Failure.Refused refused
                && refused.refusal().getReason() == Reason.REASON_NOT_HOLDER) {
              lose(grant, LossCause.TAKEN_AWAY, failedAt);
            } else if (failure instanceof Failure.Refused) {
              renewAt(grant, failedAt + third(grant));
            }
          }

          @Override
          public void onSessionEnded(long endedAt) {
            grant.isRenewing = false;
            renewAt(grant, endedAt);
          }
        },
        now + patience);
  }

  /** Releases a grant, and reports the result if there is a listener. */
  void release(HeldGrant grant, SessionCore.@Nullable Release told, long now) {
    held.remove(grant);
    grant.isOver = true;
    givingBack.release(grant, told, now);
  }

  void releaseQuietly(HeldGrant grant, long now) {
    release(grant, /* told= */ null, now);
  }

  /** Returns the next time at which a grant may be due, at most {@code latest}. */
  long nextDue(long latest) {
    return held.isEmpty() || attentionAt - latest > 0 ? latest : attentionAt;
  }
}
