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
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * I12, for those who live: once all is healed, a client asks once more for each of its keys, one
 * after the other, waits its turn, and gives each back. What a client that lives has leaked shows
 * itself here: nobody is given that lock again.
 */
final class LastRound {

  private static final long AGAIN_US = 350_000;
  private static final long PATIENCE_MS = 60_000;

  private final ClientProcess client;
  private final ClientSession session;
  private final Deque<String> keys;
  private int attempts;
  private long turn;
  private long token;

  LastRound(ClientProcess client, ClientSession session, Collection<String> keys) {
    this.client = client;
    this.session = session;
    this.keys = new ArrayDeque<>(keys);
  }

  boolean isOver() {
    return keys.isEmpty();
  }

  /** Asks for the next key. */
  void begin() {
    if (isOver()) {
      return;
    }
    LeaseLife lease = session.surelyAlive();
    boolean isShared = lease != null && client.chance().nextInt(3) > 0;
    String holder = "last-" + ++attempts;
    long content = attempts;
    ask(
        ++turn,
        isShared && lease != null
            ? acquire(
                session.next(lease, content),
                new HolderId(client.id(), lease.id(), holder),
                ClientSession.lifeOf(lease, session.ttlMs()))
            : acquire(
                client.named(content),
                HolderId.of(client.id(), holder),
                new Lifetime.Own(new Ttl(800))));
  }

  private static LockCommand.Acquire acquire(
      RequestHeader request, HolderId holder, Lifetime life) {
    return new LockCommand.Acquire(
        request, holder, life, new WaitTimeout(PATIENCE_MS), /* reenter= */ false, Metadata.NONE);
  }

  private void ask(long mine, LockCommand.Acquire acquire) {
    if (mine != turn) {
      return;
    }
    send(acquire, acquire.request(), outcome -> answered(mine, acquire, outcome));
    client.later(AGAIN_US, "asks once more, again", () -> ask(mine, acquire));
  }

  private void answered(long mine, LockCommand.Acquire acquire, Outcome outcome) {
    if (mine != turn || outcome instanceof Outcome.Waiting || OutcomeRules.isNoToken(outcome)) {
      return;
    }
    if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      session.done(acquire.request());
      token = acquired.token().value();
      release(acquired.life().lease().orElse(null));
    } else if (outcome instanceof Outcome.Cancelled || outcome instanceof Outcome.Acquired) {
      session.done(acquire.request());
      long over = ++turn; // its session has ended, or it came too late, or the queue was full
      client.later(
          AGAIN_US,
          "asks anew",
          () -> {
            if (over == turn) {
              begin();
            }
          });
    } else {
      cancel(++turn, acquire);
    }
  }

  private void cancel(long mine, LockCommand.Acquire acquire) {
    if (mine != turn) {
      return;
    }
    send(
        new LockCommand.Cancel(acquire.request().id()),
        acquire.request(),
        outcome -> answered(mine, acquire, outcome));
    client.later(AGAIN_US, "cancels again", () -> cancel(mine, acquire));
  }

  private void release(@Nullable LeaseLife lease) {
    RequestHeader request =
        lease != null && session.isOpen(lease) ? session.next(lease, 1) : client.named(1);
    release(
        ++turn,
        new LockCommand.Release(request, new FencingToken(token), /* all= */ true),
        request);
  }

  private void release(long mine, LockCommand.Release release, RequestHeader request) {
    if (mine != turn) {
      return;
    }
    send(
        release,
        request,
        outcome -> {
          if (mine == turn && !OutcomeRules.isPassing(outcome)) {
            turn++;
            session.done(request);
            client.locks().count("served once more");
            keys.remove();
            begin();
          }
        });
    client.later(AGAIN_US, "gives back again", () -> release(mine, release, request));
  }

  private void send(
      LockCommand command, RequestHeader request, java.util.function.Consumer<Outcome> told) {
    long number = OutcomeRules.numberOf(request);
    client.ask(keys.element(), command, number, number > 0 ? session.lowestOpen() : 0, told);
  }

  @Override
  public String toString() {
    return client + ", which asks once more for " + keys + " under " + token;
  }
}
