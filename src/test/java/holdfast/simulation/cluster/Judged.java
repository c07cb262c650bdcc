package holdfast.simulation.cluster;

import holdfast.entity.Renewal;
import holdfast.lock.FencingToken;
import holdfast.lock.LockKey;
import holdfast.v1.Answer;
import holdfast.v1.Operation;
import holdfast.v1.Reason;
import holdfast.v1.Refusal;
import holdfast.v1.RenewRequest;
import holdfast.v1.SessionRequest;
import holdfast.v1.SessionResponse;
import holdfast.v1.UnlockRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The negative answers on one stream of a session, for the invariants to judge: a grant that is not
 * held, and a session that has ended.
 */
final class Judged {

  private static final Renewal.Answer DEAD = new Renewal.Answer(false, 0, 0, 0, 0);

  private record Asked(Renewal of, long sentUs) {}

  private final ClusterLocks locks;
  private final Map<Long, Asked> asked = new HashMap<>();
  private long session;

  Judged(ClusterLocks locks) {
    this.locks = locks;
  }

  void sent(SessionRequest frame) {
    if (frame.hasOpen()) {
      session = frame.getOpen().getSessionId();
    }
    for (Operation operation : frame.getOperationsList()) {
      if (operation.hasUnlock()) {
        UnlockRequest unlock = operation.getUnlock();
        put(operation, unlock.getKey(), unlock.getFencingToken());
      } else if (operation.hasRenew()) {
        RenewRequest renew = operation.getRenew();
        put(operation, renew.getKey(), renew.getFencingToken());
      }
    }
  }

  private void put(Operation operation, String key, long token) {
    Renewal of = new Renewal.OfGrant(new LockKey(key), new FencingToken(token));
    asked.put(operation.getNumber(), new Asked(of, now()));
  }

  void heard(SessionResponse frame) {
    if (frame.hasOpened()) {
      session = frame.getOpened().getSessionId();
    }
    for (Answer answer : frame.getAnswersList()) {
      Asked meant = asked.remove(answer.getNumber());
      if (meant != null && answer.getRefused().getReason() == Reason.REASON_NOT_HOLDER) {
        dead(meant.of, meant.sentUs);
      }
    }
    if (frame.getClosed()) {
      hasEnded();
    }
  }

  void ended(@Nullable Refusal refusal) {
    if (refusal != null && refusal.getReason() == Reason.REASON_SESSION_NOT_FOUND) {
      hasEnded();
    }
  }

  /** It does not begin again: so it is gone now, if it was gone at any time. */
  private void hasEnded() {
    if (session != 0) {
      dead(new Renewal.OfLease(session, 0), now());
    }
  }

  private void dead(Renewal what, long sentUs) {
    locks.count("judged " + what.getClass().getSimpleName());
    locks.tell(each -> each.judged(what, DEAD, sentUs));
  }

  private long now() {
    return locks.world().nowUs();
  }
}
