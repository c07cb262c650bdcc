package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import io.holdfast.v1.Answer;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.SessionOpened;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.Renewal;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers on one stream of a session, as the client reads them, for the invariants to judge.
 */
final class Judged {

  private record Asked(Operation operation, long sentUs) {}

  private final JudgedSession session;
  private final ClusterLocks locks;
  private final Map<Long, Asked> asked = new HashMap<>();
  private final Map<Long, Long> keepAlives = new HashMap<>();
  private @Nullable LeaseLife life;
  private long named;
  private long openSentUs;
  private boolean isLeft;

  Judged(JudgedSession session) {
    this.session = session;
    locks = session.locks();
  }

  // ------------------------------------------------------------------ what is asked

  void sent(SessionRequest frame) {
    if (frame.hasOpen()) {
      named = frame.getOpen().getSessionId();
      openSentUs = now();
    }
    if (frame.getKeepAliveNumber() > 0) {
      keepAlives.putIfAbsent(frame.getKeepAliveNumber(), now());
    }
    for (Operation operation : frame.getOperationsList()) {
      asked.put(operation.getNumber(), new Asked(operation, now()));
      LeaseLife of = life;
      if (of != null && operation.hasLock()) {
        session.sent(session.request(of, operation.getNumber()));
      }
    }
  }

  /** The stream is over for the client: it takes no answer of it, and asks by another one. */
  void left() {
    isLeft = true;
  }

  // ------------------------------------------------------------------ what is answered

  void heard(SessionResponse frame) {
    if (frame.hasOpened()) {
      SessionOpened opened = frame.getOpened();
      LeaseLife begun =
          LeaseLife.of(new LeaseId(opened.getSessionId()), new Revision(opened.getIncarnation()));
      life = begun;
      named = begun.id().value();
      lives(begun, opened.getGrantedTtlMs(), openSentUs);
    }
    LeaseLife of = life;
    if (of == null) {
      return;
    }
    Long keptSentUs = keepAlives.get(frame.getKeepAliveNumber());
    if (keptSentUs != null) {
      lives(of, frame.getGrantedTtlMs(), keptSentUs);
    }
    for (Answer answer : frame.getAnswersList()) {
      Asked meant = asked.get(answer.getNumber());
      if (meant != null) {
        heard(of, meant, answer);
      }
    }
    if (frame.getClosed()) {
      hasEnded();
    }
  }

  private void lives(LeaseLife lease, long ttlMs, long sentUs) {
    Renewal renewal = new Renewal.OfLease(lease.id(), lease.incarnation());
    judged(renewal, new Renewal.Answer(true, ttlMs, 0, 0, lease.incarnation()), sentUs);
  }

  private void heard(LeaseLife of, Asked meant, Answer answer) {
    Operation operation = meant.operation;
    if (answer.getRefused().getReason() == Reason.REASON_NOT_HOLDER) {
      notHeld(operation, meant.sentUs);
    } else if (answer.hasLock() && operation.hasLock()) {
      heard(of, meant, answer, answer.getLock());
    } else if (answer.getUnlock().getReleased()) {
      String key = operation.getUnlock().getKey();
      long token = operation.getUnlock().getFencingToken();
      locks.tell(each -> each.released(key, token, answer.getRevision()));
    } else if (answer.getRenew().getHeldNow()) {
      Renewal renewal = grant(operation.getRenew().getKey(), answer.getRenew().getFencingToken());
      long ttlMs = answer.getRenew().getGrantedTtlMs();
      long token = answer.getRenew().getFencingToken();
      judged(renewal, new Renewal.Answer(true, ttlMs, token, 0, new Revision(0)), meant.sentUs);
    } else if (answer.hasCancel() && operation.hasCancel()) {
      RequestId request = session.request(of, operation.getCancel().getLockNumber());
      String key = operation.getCancel().getKey();
      Outcome cancelled = new Outcome.Cancelled(answer.getCancel().getDropped(), null);
      locks.count("judged cancel");
      locks.tell(each -> each.told(key, new LockCommand.Cancel(request), cancelled));
    }
  }

  private void heard(LeaseLife of, Asked meant, Answer answer, LockResponse lock) {
    String key = meant.operation.getLock().getKey();
    if (lock.getAcquired() && lock.getHeldNow()) {
      locks.count("judged grant");
      locks.tell(
          each -> each.stands(key, lock.getFencingToken(), answer.getRevision(), meant.sentUs));
    } else if (!lock.getAcquired() && !lock.getQueued()) {
      if (lock.hasHolder()) {
        long token = lock.getHolder().getFencingToken();
        boolean isInTheWay = lock.getReason() == Reason.REASON_LOCKED;
        locks.tell(
            each ->
                each.refusedFor(key, token, answer.getRevision(), isInTheWay ? meant.sentUs : 0));
      }
      RequestId request = session.request(of, answer.getNumber());
      if (!isLeft && session.isOnly(request)) {
        locks.count("judged refusal");
        locks.tell(each -> each.refusedForGood(key, request));
      }
    }
  }

  private void notHeld(Operation operation, long sentUs) {
    if (operation.hasUnlock()) {
      dead(grant(operation.getUnlock().getKey(), operation.getUnlock().getFencingToken()), sentUs);
    } else if (operation.hasRenew()) {
      dead(grant(operation.getRenew().getKey(), operation.getRenew().getFencingToken()), sentUs);
    }
  }

  private static Renewal grant(String key, long token) {
    return new Renewal.OfGrant(new LockKey(key), new FencingToken(token));
  }

  void ended(@Nullable Refusal refusal) {
    if (refusal != null && refusal.getReason() == Reason.REASON_SESSION_NOT_FOUND) {
      hasEnded();
    }
  }

  /** It does not begin again: so it is gone now, if it was gone at any time. */
  private void hasEnded() {
    if (named != 0) {
      dead(new Renewal.OfLease(new LeaseId(named), new Revision(0)), now());
    }
  }

  private void dead(Renewal what, long sentUs) {
    judged(what, new Renewal.Answer(false, 0, 0, 0, new Revision(0)), sentUs);
  }

  private void judged(Renewal what, Renewal.Answer answer, long sentUs) {
    locks.count("judged " + what.getClass().getSimpleName() + " " + answer.alive());
    locks.tell(each -> each.judged(what, answer, sentUs));
  }

  private long now() {
    return locks.world().nowUs();
  }
}
