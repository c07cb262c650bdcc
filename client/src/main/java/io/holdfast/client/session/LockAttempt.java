package io.holdfast.client.session;

import io.holdfast.v1.Answer;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.Operation;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;

/**
 * One attempt to acquire a lock: sends the request, waits in the queue, and returns a grant only if
 * it is surely held.
 */
public final class LockAttempt {

  /*
   * A grant after waiting, or a repeated answer, does not show when it was granted. So the client
   * confirms it by a renewal of its token. Its deadline counts from the renewal's first attempt, or is
   * that of the session's lease. If the grant or the session has ended meanwhile, the client sends a
   * new request, which waits at the end of the queue, until the timeout of the attempt.
   *
   * A refusal may answer one copy of a request while another copy is in flight. The server does not
   * record a refusal, so that copy may find the lock free. If a copy may be in flight, the client
   * cancels the number, and sends its next request under another holder id.
   */

  private static final long MAX_WAIT_MILLIS = 3_600_000; // of the contract

  /**
   * Receives the result of an attempt. Exactly one method is called, once, unless the attempt was
   * cancelled.
   */
  public interface Listener {

    /** The lock is held. */
    void granted(HeldGrant grant);

    /** Another holder has the lock. */
    void notAcquired(String why);

    void failed(Failure failure);
  }

  /**
   * Creates an attempt.
   *
   * @param holderId the holder id of the first request; later requests append to it
   * @param ownTtlMillis the grant's own ttl, or 0 for the session's
   * @param patienceNanos the longest wait for other holders; negative: no limit
   */
  public record Terms(String key, String holderId, long ownTtlMillis, long patienceNanos) {}

  private final Terms terms;
  private final Listener listener;
  private final SessionCore core;
  private final long patienceEndsAt;
  private final boolean isForEver;
  private long number;
  private int requests;
  private boolean isOver;

  LockAttempt(Terms terms, Listener listener, SessionCore core, long now) {
    this.terms = terms;
    this.listener = listener;
    this.core = core;
    this.isForEver = terms.patienceNanos() < 0;
    this.patienceEndsAt = now + Math.max(0, terms.patienceNanos());
  }

  void ask(long now) {
    if (core.operations().isFull()) {
      fail(core.operations().full());
      return;
    }
    long waitNanos = waitNanos(now);
    LockRequest.Builder lock =
        LockRequest.newBuilder()
            .setKey(terms.key())
            .setHolderId(nextHolderId())
            .setTimeoutMs(waitNanos / DeadlineRules.nanos(1));
    if (terms.ownTtlMillis() > 0) {
      lock.setTtlMs(terms.ownTtlMillis());
    }
    long giveUpAt = now + waitNanos + core.answerWithinNanos();
    number =
        core.operations()
            .ask(terms.key(), Operation.newBuilder().setLock(lock), new Asked(), giveUpAt);
  }

  private String nextHolderId() {
    requests++;
    return requests == 1 ? terms.holderId() : terms.holderId() + "-" + requests;
  }

  private boolean isOfSession() {
    return terms.ownTtlMillis() == 0;
  }

  /** Returns the wait timeout in whole milliseconds, rounded up. */
  private long waitNanos(long now) {
    long longest = DeadlineRules.nanos(MAX_WAIT_MILLIS);
    long left = isForEver ? longest : Math.min(longest, Math.max(0, patienceEndsAt - now));
    long milli = DeadlineRules.nanos(1);
    return (left + milli - 1) / milli * milli;
  }

  private boolean isPatient(long now) {
    return isForEver || patienceEndsAt - now > 0;
  }

  /** Cancels the attempt: once the cancel is answered, it neither waits nor holds. */
  void cancel(long now) {
    if (!isOver) {
      isOver = true;
      if (number != 0 && !core.operations().drop(number)) {
        cancelRequest(now);
      }
    }
  }

  private void cancelRequest(long now) {
    core.givingBack().cancel(terms.key(), number, isOfSession(), now);
  }

  /** Handles a refusal: other copies of the request are cancelled, so that none is granted. */
  private void cancelCopies(long now) {
    if (core.operations().mayBeDecidedAgain(number)) {
      cancelRequest(now);
    }
  }

  private void again(String why, long now) {
    if (core.isClosing()) {
      fail(new Failure.Unavailable(SessionCore.CLOSED));
    } else if (isPatient(now)) {
      ask(now);
    } else {
      isOver = true;
      listener.notAcquired(why);
    }
  }

  private void fail(Failure failure) {
    isOver = true;
    listener.failed(failure);
  }

  private String was(String what) {
    return "lock [" + terms.key() + "] was not obtained: " + what;
  }

  private final class Asked implements Reply {

    @Override
    public void onAnswer(Answer answer, long firstSentNanos, long now) {
      LockResponse lock = answer.getLock();
      if (!answer.hasLock()) {
        onFailure(new Failure.Indeterminate("an answer of another kind"), now);
        return;
      }
      if (!isOver && !lock.getAcquired()) {
        cancelCopies(now);
      }
      number = 0; // it is decided
      if (isOver) {
        return; // the cancel in flight releases it
      } else if (lock.getAcquired() && lock.getHeldNow()) {
        HeldGrant grant = grant(lock, firstSentNanos);
        if (lock.getWaited() || lock.getRepeated()) {
          confirm(grant, now);
        } else {
          give(grant, now);
        }
      } else if (lock.getAcquired()) {
        again(was("a grant came too late"), now);
      } else if (lock.getReason() == Reason.REASON_LOCKED || !isPatient(now)) {
        isOver = true;
        listener.notAcquired(was(holder(lock)));
      } else {
        again(was(holder(lock)), now); // the longest wait of one request is over
      }
    }

    @Override
    public void onFailure(Failure failure, long now) {
      if (isOver) {
        return;
      } else if (failure.isForgotten()) { // it neither waits nor holds, and never will
        ask(now);
        return;
      }
      if (failure instanceof Failure.Indeterminate) {
        cancelRequest(now);
      } else {
        cancelCopies(now);
      }
      fail(failure);
    }

    @Override
    public void onSessionEnded(long now) {
      if (!isOver) {
        ask(now);
      }
    }
  }

  private HeldGrant grant(LockResponse lock, long firstSentNanos) {
    long ttl = lock.getGrantedTtlMs();
    Validity validity =
        isOfSession()
            ? core.sessionValidity()
            : new Validity(DeadlineRules.deadline(firstSentNanos, ttl), ttl);
    return new HeldGrant(terms.key(), lock.getFencingToken(), validity, isOfSession());
  }

  private static String holder(LockResponse lock) {
    return lock.hasHolder()
        ? "held by client [%s] under token [%d]"
            .formatted(lock.getHolder().getClientId(), lock.getHolder().getFencingToken())
        : lock.getReason().name();
  }

  private void give(HeldGrant grant, long now) {
    if (isOver) {
      core.grants().releaseQuietly(grant, now);
    } else if (!grant.validity().isSureAt(now)) {
      core.grants().releaseQuietly(grant, now);
      again(was("granted too late to be surely held, and released"), now);
    } else if (core.isClosing()) {
      core.grants().releaseQuietly(grant, now);
      fail(new Failure.Unavailable(SessionCore.CLOSED));
    } else {
      isOver = true;
      core.grants().add(grant, now);
      listener.granted(grant);
    }
  }

  private void confirm(HeldGrant grant, long now) {
    core.operations()
        .ask(
            terms.key(),
            Operation.newBuilder()
                .setRenew(
                    RenewRequest.newBuilder()
                        .setKey(terms.key())
                        .setFencingToken(grant.fencingToken())),
            new Confirmation(grant),
            now + core.answerWithinNanos());
  }

  private final class Confirmation implements Reply {

    private final HeldGrant grant;

    Confirmation(HeldGrant grant) {
      this.grant = grant;
    }

    @Override
    public void onAnswer(Answer answer, long firstSentNanos, long now) {
      if (!answer.getRenew().getHeldNow()) {
        ended(now);
        return;
      }
      if (!grant.isOfSession()) {
        grant.validity().renewed(firstSentNanos, answer.getRenew().getGrantedTtlMs());
      }
      give(grant, now);
    }

    @Override
    public void onFailure(Failure failure, long now) {
      if (failure instanceof Failure.Refused refused
          && refused.refusal().getReason() == Reason.REASON_NOT_HOLDER) {
        ended(now);
        return;
      }
      core.grants().releaseQuietly(grant, now);
      if (!isOver) {
        fail(
            new Failure.Indeterminate(
                "lock [%s] was granted under token [%d] and could not be confirmed"
                    .formatted(terms.key(), grant.fencingToken())));
      }
    }

    private void ended(long now) {
      if (!isOver) {
        again(was("the grant had ended before it was confirmed"), now);
      }
    }

    @Override
    public void onSessionEnded(long now) {
      if (!grant.isOfSession()) {
        confirm(grant, now);
      } else if (!isOver) {
        ask(now);
      }
    }
  }
}
