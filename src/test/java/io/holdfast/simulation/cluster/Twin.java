package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A second thread of a holder: it enters once more while the first is inside, stays for a while,
 * and releases once. Its entry is a renewal too: it believes to hold the lock for the ttl from its
 * own first send.
 */
final class Twin implements Belief {

  private static final long AGAIN_US = 350_000;
  private static final long GIVES_UP_MS = 2_500;

  private final ClientProcess client;
  private final ClientSession session;
  private String key = "";
  private Lifetime life = new Lifetime.Own(new Ttl(Ttl.MIN_MILLIS));
  private boolean isBusy;
  private boolean isInside;
  private long firstSentMs;
  private long deadlineMs;
  private long token;
  private long turn;

  Twin(ClientProcess client, ClientSession session) {
    this.client = client;
    this.session = session;
  }

  boolean isBusy() {
    return isBusy;
  }

  @Override
  public boolean believesToHold() {
    return isInside
        && life.lease().map(session::isSurelyAlive).orElseGet(() -> client.nowMs() < deadlineMs);
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long token() {
    return token;
  }

  @Override
  public Lifetime life() {
    return life;
  }

  /** Enters as this holder, who is inside. */
  void enter(String at, HolderId holder, Lifetime by) {
    key = at;
    life = by;
    isBusy = true;
    firstSentMs = client.nowMs();
    RequestHeader request = request();
    LockCommand.Acquire reentry =
        new LockCommand.Acquire(
            request, holder, by, WaitTimeout.NONE, /* reenter= */ true, Metadata.NONE);
    long mine = ++turn;
    send(
        reentry,
        request,
        () -> mine == turn && client.nowMs() < firstSentMs + GIVES_UP_MS,
        outcome -> entered(mine, request, outcome));
    client.later(
        GIVES_UP_MS * 1_000,
        "gives its second entry up",
        () -> {
          if (mine == turn) {
            cancel(request);
          }
        });
  }

  private boolean entered(long mine, RequestHeader request, Outcome outcome) {
    if (mine != turn || outcome instanceof Outcome.Waiting || OutcomeRules.isNoToken(outcome)) {
      return mine != turn;
    }
    turn++;
    if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      session.done(request);
      token = acquired.token().value();
      life = acquired.life();
      boolean isNew = acquired.manner() == Outcome.Manner.AT_ONCE;
      deadlineMs = isNew ? firstSentMs + ClientProcess.surelyMs(life.ttl().millis()) : 0;
      isInside = true;
      client.locks().count("entered again");
      long inside = turn;
      client.later(
          client.chance().nextInt((int) life.ttl().millis()) * 1_000L,
          "leaves its second entry",
          () -> {
            if (inside == turn) {
              leave();
            }
          });
    } else {
      cancel(request); // another copy may come yet
    }
    return true;
  }

  private void cancel(RequestHeader request) {
    turn++;
    giveBack(new LockCommand.Cancel(request.id()), request);
  }

  private void leave() {
    turn++;
    isInside = false;
    RequestHeader request = request();
    giveBack(new LockCommand.Release(request, new FencingToken(token), /* all= */ false), request);
  }

  /** As long as its session lives, or else for a while: then its own ttl ends it. */
  private void giveBack(LockCommand command, RequestHeader request) {
    long untilMs = client.nowMs() + GIVES_UP_MS;
    long mine = turn;
    LeaseLife lease = life.lease().orElse(null);
    BooleanSupplier isWanted =
        () -> lease == null ? client.nowMs() < untilMs : session.isOpen(lease);
    send(
        command,
        request,
        isWanted,
        outcome -> {
          if (!OutcomeRules.isPassing(outcome)) {
            session.done(request);
            isDone(mine);
          }
          return !OutcomeRules.isPassing(outcome);
        });
    if (lease == null) {
      client.later(GIVES_UP_MS * 1_000, "is done", () -> isDone(mine));
    }
  }

  /** The release of that turn is over; it may have entered anew since. */
  private void isDone(long then) {
    if (then == turn) {
      isBusy = false;
    }
  }

  /** All that hangs on this lease is lost, or ended. */
  void lose(LeaseLife lease) {
    if (isInside && life.isOn(lease)) {
      leave();
    }
  }

  private RequestHeader request() {
    long content = 1L + client.chance().nextInt(1_000_000);
    LeaseLife lease = openLease();
    return lease == null ? client.named(content) : session.next(lease, content);
  }

  private @Nullable LeaseLife openLease() {
    return life.lease().filter(session::isOpen).orElse(null);
  }

  private void send(
      LockCommand command,
      RequestHeader request,
      BooleanSupplier isWanted,
      Predicate<Outcome> takes) {
    send(command, request, isWanted, takes, new boolean[1]);
  }

  private void send(
      LockCommand command,
      RequestHeader request,
      BooleanSupplier isWanted,
      Predicate<Outcome> takes,
      boolean[] answered) {
    if (answered[0] || !isWanted.getAsBoolean()) {
      return;
    }
    long number = OutcomeRules.numberOf(request);
    client.ask(
        key,
        command,
        number,
        number > 0 ? session.lowestOpen() : 0,
        outcome -> answered[0] = answered[0] || takes.test(outcome));
    client.later(AGAIN_US, "sends again", () -> send(command, request, isWanted, takes, answered));
  }

  @Override
  public String toString() {
    return client + "'s second thread in " + key + " under " + token + " " + life;
  }
}
