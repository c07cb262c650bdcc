package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.wire.Renewal;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A client's session: a shared lease that it keeps alive, the numbers of its requests, and what it
 * owes: grants to give back and requests to cancel, sent again until they are answered. It goes on
 * over its own deadline, though what hangs on it is lost then. When it has ended, another one is
 * begun.
 */
final class ClientSession {

  private static final long AGAIN_US = 400_000;

  private final ClientProcess client;
  private final TreeSet<Long> open = new TreeSet<>();
  private long lastNumber;
  private long id;
  private long ttlMs;
  private long firstSentMs;
  private long deadlineMs;
  private @Nullable RequestHeader opening;
  private @Nullable LeaseLife life;

  ClientSession(ClientProcess client) {
    this.client = client;
  }

  void begin() {
    id = 1 + client.chance().nextLong(Long.MAX_VALUE - 1);
    ttlMs = LeaseTerms.MIN_TTL_MILLIS + client.chance().nextInt(400);
    life = null;
    open.clear();
    lastNumber = 0;
    RequestHeader request = client.named(ttlMs);
    opening = request;
    firstSentMs = client.nowMs();
    open(request);
  }

  private void open(RequestHeader request) {
    if (!request.equals(opening) || client.locks().windsDown()) {
      return;
    }
    client.ask(
        new LeaseId(id),
        new LeaseCommand.Grant(request, LeaseTerms.of(ttlMs, client.id(), /* session= */ true)),
        answer -> {
          if (!request.equals(opening)) {
            return;
          } else if (answer.outcome() instanceof LeaseOutcome.Granted granted) {
            opening = null;
            life = LeaseLife.of(new LeaseId(id), granted.incarnation());
            deadlineMs = granted.repeated() ? 0 : firstSentMs + ClientProcess.surelyMs(ttlMs);
            keepAlive(life);
          } else {
            opening = null;
            beginLater();
          }
        });
    client.later(400_000, "opens again", () -> open(request));
  }

  private void beginLater() {
    client.later(client.chance().nextInt(400_000), "opens another session", this::begin);
  }

  private void keepAlive(LeaseLife which) {
    if (!which.equals(life)) {
      return;
    }
    long now = client.nowMs();
    client.renew(
        new Renewal.OfLease(which.id(), which.incarnation()),
        answer -> {
          if (!which.equals(life)) {
            return;
          } else if (!answer.alive()) {
            ended();
          } else {
            if (client.nowMs() >= deadlineMs) { // what was lost stays lost, though the lease lives
              client.handles().forEach(handle -> handle.lose(which));
            }
            deadlineMs = Math.max(deadlineMs, now + ClientProcess.surelyMs(answer.ttlMs()));
          }
        });
    client.later(ttlMs * 1_000 / 4, "keeps its session", () -> keepAlive(which));
  }

  private void ended() {
    life = null;
    beginLater();
  }

  /**
   * Sends what gives something back, again and again: as long as the session lives, nothing else
   * ends what hangs on it.
   */
  void owe(String key, LockCommand command, RequestHeader request, LeaseLife which) {
    if (!which.equals(life)) {
      return;
    }
    boolean[] answered = new boolean[1];
    owe(key, command, request, which, answered);
  }

  private void owe(
      String key, LockCommand command, RequestHeader request, LeaseLife which, boolean[] answered) {
    if (answered[0] || !which.equals(life)) {
      return;
    }
    client.ask(
        key,
        command,
        OutcomeRules.numberOf(request),
        lowestOpen(),
        outcome -> {
          if (!answered[0] && !OutcomeRules.isPassing(outcome)) {
            answered[0] = true;
            done(request);
          }
        });
    client.later(AGAIN_US, "still gives back", () -> owe(key, command, request, which, answered));
  }

  /** Ends it with all that hangs on it. */
  void close() {
    LeaseLife which = life;
    if (which != null) {
      client.handles().forEach(handle -> handle.drop(which));
      ended();
      client.ask(
          which.id(),
          new LeaseCommand.Revoke(client.named(which.incarnation().value()), which.incarnation()),
          answer -> {});
    }
  }

  /** Its life, if it is surely alive now. */
  @Nullable LeaseLife surelyAlive() {
    return client.nowMs() < deadlineMs ? life : null;
  }

  boolean isSurelyAlive(LeaseLife which) {
    return which.equals(surelyAlive());
  }

  /** True if it has not been told to have ended. */
  boolean isOpen(LeaseLife which) {
    return which.equals(life);
  }

  /** By what a holder lives by it. */
  static Lifetime lifeOf(LeaseLife which, long ttlMs) {
    return new Lifetime.Shared(which, new io.holdfast.lock.Ttl(ttlMs));
  }

  long ttlMs() {
    return ttlMs;
  }

  /** The next request's number; it is open until it is {@link #done}. */
  RequestHeader next(LeaseLife which, long content) {
    long number = ++lastNumber;
    open.add(number);
    return new RequestHeader(new RequestId.Numbered(client.id(), which, number), content);
  }

  void done(RequestHeader request) {
    if (request.id() instanceof RequestId.Numbered numbered && numbered.session().equals(life)) {
      open.remove(numbered.number());
    }
  }

  long lowestOpen() {
    return open.isEmpty() ? lastNumber + 1 : open.first();
  }
}
