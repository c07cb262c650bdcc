package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.CancelRequest;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.UnlockRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The grants and lock requests that are being released or cancelled. Each release is retried until
 * it is answered or its session has ended. The timeout only limits how long the caller waits for
 * the result.
 */
final class GivingBack {

  private final Operations operations;
  private final long answerWithinNanos;
  private final Map<HeldGrant, Unlock> unlocks = new LinkedHashMap<>();

  GivingBack(Operations operations, SessionTerms terms) {
    this.operations = operations;
    this.answerWithinNanos = DeadlineRules.nanos(terms.answerWithin());
  }

  /**
   * Releases a grant. A grant that is already being released gets no second request.
   *
   * @param told receives the result once; null if no caller waits for it
   */
  void release(HeldGrant grant, SessionCore.@Nullable Release told, long now) {
    Unlock unlock = unlocks.get(grant);
    if (unlock == null) {
      unlock = new Unlock(grant);
      unlocks.put(grant, unlock);
      unlock.ask(now);
    }
    if (told != null) {
      unlock.listeners.add(told);
      unlock.tellBy = now + answerWithinNanos;
    }
  }

  /**
   * Cancels a lock request: once this is answered, it neither waits nor holds.
   *
   * @param isOfSession true if the end of the session ends its grant too
   */
  void cancel(String key, long number, boolean isOfSession, long now) {
    operations.owe(
        key,
        Operation.newBuilder()
            .setCancel(CancelRequest.newBuilder().setKey(key).setLockNumber(number)),
        new Cancel(),
        number,
        isOfSession,
        now);
  }

  /** Notifies callers whose timeout has passed; the releases are retried. */
  void tellLate(long now) {
    for (Unlock unlock : List.copyOf(unlocks.values())) {
      if (!unlock.listeners.isEmpty() && unlock.tellBy - now <= 0) {
        unlock.failed(operations.late(unlock.number));
      }
    }
  }

  private final class Unlock implements Reply {

    private final HeldGrant grant;
    private final List<SessionCore.Release> listeners = new ArrayList<>(1);
    private long tellBy;
    private long number;

    Unlock(HeldGrant grant) {
      this.grant = grant;
    }

    void ask(long now) {
      number =
          operations.owe(
              grant.key(),
              Operation.newBuilder()
                  .setUnlock(
                      UnlockRequest.newBuilder()
                          .setKey(grant.key())
                          .setFencingToken(grant.fencingToken())
                          .setAll(true)),
              this,
              /* refersTo= */ 0,
              grant.isOfSession(),
              now);
    }

    private List<SessionCore.Release> takeListeners() {
      List<SessionCore.Release> taken = List.copyOf(listeners);
      listeners.clear();
      return taken;
    }

    private void failed(Failure failure) {
      takeListeners().forEach(told -> told.failed(failure));
    }

    private void ended(boolean wasHeld) {
      unlocks.remove(grant);
      takeListeners().forEach(told -> told.released(wasHeld));
    }

    @Override
    public void onAnswer(Answer answer, long firstSentNanos, long now) {
      ended(answer.getUnlock().getReleased());
    }

    @Override
    public void onFailure(Failure failure, long now) {
      if (failure instanceof Failure.Refused refused
          && refused.refusal().getReason() == Reason.REASON_NOT_HOLDER) {
        ended(/* wasHeld= */ false);
      } else if (failure.isForgotten()) {
        failed(
            new Failure.Indeterminate(
                "what the release of lock [%s] under token [%d] came to is forgotten"
                    .formatted(grant.key(), grant.fencingToken())));
        ask(now); // the token names only this grant
      } else {
        unlocks.remove(grant);
        failed(failure);
      }
    }

    /**
     * Handles the end of the session: its grants have ended with it; a grant with its own ttl must
     * still be released.
     */
    @Override
    public void onSessionEnded(long now) {
      if (grant.isOfSession()) {
        ended(/* wasHeld= */ false);
      } else {
        ask(now);
      }
    }
  }

  /** A result without a listener. */
  private static final class Cancel implements Reply {

    @Override
    public void onAnswer(Answer answer, long firstSentNanos, long now) {}

    @Override
    public void onFailure(Failure failure, long now) {}

    @Override
    public void onSessionEnded(long now) {}
  }
}
