package io.holdfast.simulation.cluster;

import io.holdfast.id.LeaseLife;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.wire.Renewal;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One handle of a client: asks for a lock, holds it for a while, and gives it back; or gives up, or
 * forgets it. It believes to hold the lock by the rule of the client: until the first send of what
 * was acknowledged, and the ttl less the margin.
 */
final class Handle implements Belief {

  private enum Phase {
    RESTING,
    ASKING,
    CONFIRMING,
    HOLDING,
    LEAVING
  }

  private static final long AGAIN_US = 350_000;
  private static final long GIVES_UP_MS = 2_500;

  /** So long a ttl that a leaked grant is seen before it ends by itself. */
  private static final long LONG_MS = 4_000;

  private final ClientProcess client;
  private final String name;
  private int holders;
  private final ClientSession session;
  private final SplittableRandom chance;
  private final Twin twin;
  private Phase phase = Phase.RESTING;
  private HolderId holder;
  private String key = ClusterLocks.KEYS.get(0);
  private Lifetime life = new Lifetime.Own(new Ttl(Ttl.MIN_MILLIS));
  private long firstSentMs;
  private long untilMs;
  private long deadlineMs;
  private long token;
  private long turn;
  private ClientProcess.@Nullable Call call;

  Handle(ClientProcess client, String name, ClientSession session) {
    this.client = client;
    this.name = name;
    this.session = session;
    chance = client.chance().split();
    twin = new Twin(client, session);
    holder = HolderId.of(client.id(), name);
  }

  /** The second thread of what it holds. */
  Twin twin() {
    return twin;
  }

  // ------------------------------------------------------------------ what it believes

  @Override
  public boolean believesToHold() {
    return phase == Phase.HOLDING && !isPast();
  }

  private boolean isPast() {
    return life.lease()
        .map(lease -> !session.isSurelyAlive(lease))
        .orElseGet(() -> client.nowMs() >= deadlineMs);
  }

  @Override
  public long token() {
    return token;
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public Lifetime life() {
    return life;
  }

  // ------------------------------------------------------------------ what it does

  void rest() {
    phase = Phase.RESTING;
    long mine = ++turn;
    client.later(
        chance.nextInt(200_000),
        name + " begins",
        () -> {
          if (mine == turn && !client.locks().isCloseToTheEnd()) {
            begin();
          }
        });
  }

  private void begin() {
    key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    client.asksFor(key);
    LeaseLife lease = session.surelyAlive();
    boolean isShared = lease != null && chance.nextInt(3) > 0;
    WaitTimeout waitTimeout =
        chance.nextInt(3) == 0 ? WaitTimeout.NONE : new WaitTimeout(100 + chance.nextInt(1_500));
    RequestHeader request;
    if (isShared && lease != null) {
      life = ClientSession.lifeOf(lease, session.ttlMs());
      request = session.next(lease, 1 + chance.nextInt(1_000_000));
      holder = new HolderId(client.id(), lease.id(), holderName());
    } else {
      boolean isNameless = chance.nextInt(6) == 0;
      boolean isLong = isNameless && chance.nextInt(3) == 0;
      life = new Lifetime.Own(new Ttl(150 + chance.nextInt(450) + (isLong ? LONG_MS : 0)));
      request = isNameless ? client.nameless(1L + chance.nextInt(1_000_000)) : request(lease);
      holder = HolderId.of(client.id(), holderName());
    }
    phase = Phase.ASKING;
    token = 0;
    call = null;
    firstSentMs = client.nowMs();
    untilMs = firstSentMs + waitTimeout.millis() + GIVES_UP_MS;
    LockCommand.Acquire acquire =
        new LockCommand.Acquire(
            request, holder, life, waitTimeout, /* reenter= */ false, Metadata.NONE);
    ask(++turn, acquire);
  }

  private String holderName() {
    return holders == 0 ? name : name + "." + holders;
  }

  private RequestHeader request(@Nullable LeaseLife lease) {
    long content = 1L + chance.nextInt(1_000_000);
    return lease != null && chance.nextBoolean()
        ? session.next(lease, content)
        : client.named(content);
  }

  private void ask(long mine, LockCommand.Acquire acquire) {
    if (mine != turn) {
      return;
    } else if (client.nowMs() >= untilMs || (!client.locks().world().isCalm() && giveUp())) {
      giveUp(acquire.request());
      return;
    } else if (call != null && renewsByRequest(acquire.request().id())) {
      client.locks().count("renewed by request");
      client.renew(
          new Renewal.OfRequest(new LockKey(key), acquire.request().id()),
          answer -> {
            if (mine == turn && !answer.alive()) {
              client.locks().count("told that it does not wait");
            }
          });
    } else if (acquire.request().id().isRepeatable() || call == null) {
      call = send(acquire, acquire.request(), outcome -> answered(mine, acquire, outcome));
    }
    client.later(
        AGAIN_US + chance.nextInt(300_000), name + " asks again", () -> ask(mine, acquire));
  }

  private boolean renewsByRequest(RequestId id) {
    return id.isRepeatable() && life.lease().isEmpty() && chance.nextInt(3) == 0;
  }

  /**
   * A request without an id cannot be cancelled by its client: its node does that, when the client
   * hangs up.
   */
  private void giveUp(RequestHeader request) {
    ClientProcess.Call open = call;
    if (request.id().isRepeatable() || open == null) {
      cancel(request);
    } else {
      open.hangUp();
      holders++; // D11: it may be granted yet, and must not end what comes
      rest();
    }
  }

  private boolean giveUp() {
    return chance.nextInt(15) == 0;
  }

  private ClientProcess.Call send(
      LockCommand command, RequestHeader request, java.util.function.Consumer<Outcome> told) {
    long number = OutcomeRules.numberOf(request);
    return client.ask(key, command, number, number > 0 ? session.lowestOpen() : 0, told);
  }

  private void answered(long mine, LockCommand.Acquire acquire, Outcome outcome) {
    if (mine != turn || outcome instanceof Outcome.Waiting) {
      return;
    } else if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      session.done(acquire.request());
      token = acquired.token().value();
      life = acquired.life(); // of a grant before, perhaps, to this same handle
      long confirming = ++turn;
      if (acquired.manner() == Outcome.Manner.AT_ONCE) {
        deadlineMs = firstSentMs + ClientProcess.surelyMs(life.ttl().millis());
        hold(confirming);
      } else {
        phase = Phase.CONFIRMING;
        untilMs = client.nowMs() + GIVES_UP_MS;
        confirm(confirming);
      }
    } else if (OutcomeRules.isNoToken(outcome) && acquire.request().id().isRepeatable()) {
      return; // asks again
    } else if (client.hasCopies(acquire.request())) {
      client.locks().count("refused, with copies");
      cancel(acquire.request()); // another copy may come yet, to a lock that is free by then
    } else {
      if (outcome instanceof Outcome.Refused) {
        client.locks().tell(each -> each.refusedForGood(key, acquire.request().id()));
      }
      session.done(acquire.request());
      rest();
    }
  }

  private void confirm(long mine) {
    if (mine != turn) {
      return;
    } else if (client.nowMs() >= untilMs) {
      release();
      return;
    }
    long sentMs = client.nowMs();
    client.renew(
        new Renewal.OfGrant(new LockKey(key), new FencingToken(token)),
        answer -> {
          if (mine != turn) {
            return;
          } else if (answer.alive()) {
            deadlineMs = sentMs + ClientProcess.surelyMs(life.ttl().millis());
            hold(++turn);
          } else {
            release();
          }
        });
    client.later(200_000, name + " confirms again", () -> confirm(mine));
  }

  /** It holds the lock, if the grant has not come too late. */
  private void hold(long mine) {
    phase = Phase.HOLDING;
    if (isPast()) {
      client.locks().count("late grant");
      release();
      return;
    }
    client.locks().count("held");
    untilMs = client.nowMs() + 50 + chance.nextInt(900);
    renew(mine);
  }

  private void renew(long mine) {
    if (mine != turn) {
      return;
    } else if (isPast()) {
      client.locks().count("lost");
      release();
      return;
    } else if (client.nowMs() >= untilMs) {
      if (chance.nextInt(8) == 0 && life.lease().isEmpty()) {
        rest(); // forgotten: nobody keeps it alive
      } else {
        release();
      }
      return;
    }
    if (!twin.isBusy() && chance.nextInt(5) == 0) {
      twin.enter(key, holder, life); // in place of a renewal: it is one
      holders++; // whoever comes next must not share the count with it
    } else if (life.lease().isEmpty()) {
      long sentMs = client.nowMs();
      client.renew(
          new Renewal.OfGrant(new LockKey(key), new FencingToken(token)),
          answer -> {
            if (mine == turn && answer.alive() && !isPast()) {
              deadlineMs = Math.max(deadlineMs, sentMs + ClientProcess.surelyMs(answer.ttlMs()));
            }
          });
    }
    if (chance.nextInt(3) == 0) { // between its look and its write it may stand still
      client.later(chance.nextInt(50_000), name + " writes", () -> write(mine));
    }
    boolean isLate = chance.nextInt(8) == 0; // so late that its silence was written down
    long perMille = isLate ? 600 : 250;
    client.later(life.ttl().millis() * perMille, name + " renews", () -> renew(mine));
  }

  private void write(long mine) {
    if (mine == turn) {
      client.write(
          key,
          token,
          isAccepted -> {
            if (mine == turn && !isAccepted) {
              release(); // it is fenced: somebody else came after it
            }
          });
    }
  }

  private void release() {
    LeaseLife lease = life.lease().orElse(null);
    long content = 1L + chance.nextInt(1_000_000);
    RequestHeader request =
        lease != null && session.isOpen(lease)
            ? session.next(lease, content)
            : client.named(content);
    leave(new LockCommand.Release(request, new FencingToken(token), /* all= */ false), request);
  }

  private void cancel(RequestHeader request) {
    client.locks().count("cancel");
    leave(new LockCommand.Cancel(request.id()), request);
  }

  private void leave(LockCommand command, RequestHeader request) {
    phase = Phase.LEAVING;
    untilMs = client.nowMs() + GIVES_UP_MS;
    leave(++turn, command, request);
  }

  /** All that it has on this lease is lost, though the lease lives. */
  void lose(LeaseLife lease) {
    twin.lose(lease);
    if (phase == Phase.HOLDING && life.isOn(lease)) {
      client.locks().count("lost");
      release();
    }
  }

  private void leave(long mine, LockCommand command, RequestHeader request) {
    if (mine != turn) {
      return;
    } else if (client.nowMs() >= untilMs) {
      giveUp(command, request);
      return;
    }
    send(
        command,
        request,
        outcome -> {
          if (mine == turn && !OutcomeRules.isPassing(outcome)) {
            session.done(request);
            rest();
          }
        });
    client.later(AGAIN_US, name + " asks again", () -> leave(mine, command, request));
  }

  /** Its caller is told that nothing is known. What it gives back by its session is still sent. */
  private void giveUp(LockCommand command, RequestHeader request) {
    client.locks().count("gave up");
    LeaseLife lease = life.lease().orElse(null);
    if (lease == null || !session.isOpen(lease)) {
      session.done(request);
    } else {
      session.owe(key, command, request, lease);
    }
    holders++; // D11: it may be done yet, and must not end what comes
    rest();
  }

  /** Its client ends the lease. */
  void drop(LeaseLife lease) {
    twin.lose(lease);
    if (life.lease().filter(lease::equals).isPresent()) {
      rest();
    }
  }

  @Override
  public String toString() {
    return client + "/" + name + " " + phase + " " + key + " " + token + " " + life;
  }
}
