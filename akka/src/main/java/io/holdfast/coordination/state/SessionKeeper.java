package io.holdfast.coordination.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens the session of one process and renews it: says what to propose and when, and is told the
 * verdicts. Used by one thread.
 */
public final class SessionKeeper {

  /** The pause before what came back without a verdict is sent again. */
  private static final int RESEND_MS = 50;

  private static final long NEVER = Long.MAX_VALUE;

  private final CoordinationCommand.OpenSession opening;
  private final SessionTimes times;
  private final SessionValidity validity;
  private @Nullable SessionId session;
  private @Nullable String end;
  private long attempt;
  private long sendAtMs;

  /**
   * Begins: the opening is to be sent now.
   *
   * @param opening the command that opens the session of this process, the same for its whole life
   */
  public SessionKeeper(
      SessionTimes times, CoordinationCommand.OpenSession opening, long nowMs, long nowWallMs) {
    this.opening = opening;
    this.times = times;
    validity = new SessionValidity(times, nowMs, nowWallMs);
    sendAtMs = nowMs;
  }

  /** The commands to propose now. */
  public List<CoordinationCommand> due(long nowMs, long nowWallMs) {
    List<CoordinationCommand> due = new ArrayList<>();
    if (end == null && session != null && nowMs >= validity.nextRenewalMs()) {
      attempt = validity.renew(nowMs, nowWallMs);
      sendAtMs = nowMs;
    }
    if (end == null && nowMs >= sendAtMs) {
      sendAtMs = NEVER;
      due.add(session == null ? opening : new CoordinationCommand.RenewSession(session, attempt));
    }
    return due;
  }

  /** The time to ask {@link #due} again. */
  public long nextMs() {
    return end != null ? NEVER : session == null ? sendAtMs : renewalMs();
  }

  private long renewalMs() {
    return Math.min(sendAtMs, validity.nextRenewalMs());
  }

  /** Something that this process had proposed was applied. */
  public void decided(CoordinationCommand command, CoordinationVerdict verdict, long nowMs) {
    if (verdict instanceof CoordinationVerdict.Refused refused) {
      refused(command, refused, nowMs);
    } else {
      verdict.alive().ifPresent(alive -> confirmed(command, alive));
    }
  }

  private void confirmed(CoordinationCommand command, Session alive) {
    if (command instanceof CoordinationCommand.RenewSession renew) {
      validity.acknowledged(renew.renewal());
    } else if (session == null) {
      session = alive.id();
      validity.acknowledged(0);
    }
  }

  private void refused(
      CoordinationCommand command, CoordinationVerdict.Refused refused, long nowMs) {
    boolean isOpening = command.equals(opening);
    if (isOpening && refused.reason() == CoordinationRefusal.NOT_FOUNDED) {
      cameBack(command, nowMs);
    } else if ((isOpening && session == null)
        || refused.reason() == CoordinationRefusal.NO_SUCH_SESSION) {
      end(refused.detail());
    }
  }

  /** Something was not applied, or nobody knows whether it was. It keeps its number. */
  public void cameBack(CoordinationCommand command, long nowMs) {
    boolean isNewest =
        command.equals(opening)
            ? session == null
            : command instanceof CoordinationCommand.RenewSession renew
                && renew.renewal() == attempt;
    if (isNewest) {
      sendAtMs = Math.min(sendAtMs, nowMs + RESEND_MS);
    }
  }

  /** An entry was applied: its verdict may have ended the session. */
  public void applied(CoordinationVerdict verdict) {
    for (EndedSession ended : verdict.ended()) {
      if (ended.session().id().equals(session)) {
        end(ended.cause().name());
      }
    }
  }

  /** The state was replaced by a later one. */
  public void restored(CoordinationState state) {
    if (session != null && state.session(session).isEmpty()) {
      end("not in the state of the others");
    }
  }

  private void end(String reason) {
    if (end == null) {
      end = reason;
    }
  }

  /** The session, once it is open; it may have ended since. */
  public Optional<SessionId> session() {
    return Optional.ofNullable(session);
  }

  /** The reason for which the session has ended, or never was: this process gets no other. */
  public Optional<String> end() {
    return Optional.ofNullable(end);
  }

  /** True if the node may act on its session now. */
  public boolean isValid(long nowMs, long nowWallMs) {
    return end == null && session != null && validity.isValid(nowMs, nowWallMs);
  }

  /** The ttl of a session, and the interval of its renewals. */
  public SessionTimes times() {
    return times;
  }
}
