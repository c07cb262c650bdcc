package holdfast.simulation.cluster;

import holdfast.client.session.Failure;
import holdfast.client.session.HeldGrant;
import holdfast.client.session.LossReason;
import holdfast.client.session.SessionCore;
import holdfast.client.session.Wish;
import holdfast.lock.Life;
import holdfast.lock.Ttl;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One caller of the real client: asks for a lock, holds it for a while, and gives it back, or gives
 * up. It believes to hold the lock by its own look at the grant's validity.
 */
final class RealHandle implements Belief, Wish.Listener, SessionCore.Release {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final RealClient client;
  private final String name;
  private final SplittableRandom chance;
  private String key = ClusterLocks.KEYS.get(0);
  private @Nullable Wish wish;
  private @Nullable HeldGrant grant;
  private long turn;

  RealHandle(RealClient client, String name) {
    this.client = client;
    this.name = name;
    chance = client.chance().split();
  }

  // ------------------------------------------------------------------ what it believes

  @Override
  public boolean believesToHold() {
    HeldGrant held = grant;
    return held != null && held.validity().isSureAt(client.nanos());
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long token() {
    HeldGrant held = grant;
    return held == null ? 0 : held.fencingToken();
  }

  @Override
  public Life life() {
    return client
        .locks()
        .book()
        .grant(token())
        .<Life>map(LockBook.Grant::life)
        .orElse(new Life.Own(new Ttl(Ttl.MIN_MILLIS)));
  }

  // ------------------------------------------------------------------ what it does

  void rest() {
    grant = null;
    wish = null;
    long mine = ++turn;
    later(
        mine,
        chance.nextInt(200_000),
        "begins",
        () -> {
          if (!client.locks().isCloseToTheEnd()) {
            client.act(this::begin);
          }
        });
  }

  private void later(long mine, long delayUs, String what, Runnable action) {
    client
        .host()
        .later(
            delayUs,
            name + " " + what,
            () -> {
              if (mine == turn) {
                action.run();
              }
            });
  }

  private void begin() {
    key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    client.asksFor(key);
    long mine = ++turn;
    int dice = chance.nextInt(6);
    long patienceMs = dice < 2 ? 0 : dice < 5 ? 100 + chance.nextInt(1_500) : -1;
    long ownTtlMs = chance.nextInt(3) > 0 ? 0 : 200 + chance.nextInt(500);
    Wish begun =
        client
            .core()
            .acquire(
                new Wish.Terms(key, client.newHolder(name), ownTtlMs, patienceMs * NANOS_PER_MILLI),
                this,
                client.nanos());
    if (mine == turn) {
      wish = begun;
      boolean givesUp = patienceMs < 0 || chance.nextInt(6) == 0;
      if (givesUp) {
        later(mine, chance.nextInt(2_500_000), "gives up", () -> client.act(this::giveUp));
      }
    }
  }

  private void giveUp() {
    Wish given = wish;
    if (given != null) {
      client.locks().count("real cancel");
      client.core().cancel(given, client.nanos());
      rest();
    }
  }

  @Override
  public void granted(HeldGrant held) {
    client.locks().count("real held");
    grant = held;
    wish = null;
    long mine = ++turn;
    held.onLost(reason -> lost(held, reason));
    later(mine, 50_000 + chance.nextInt(900_000), "gives back", () -> client.act(this::release));
    if (chance.nextBoolean()) {
      later(mine, chance.nextInt(400_000), "writes", () -> write(mine));
    }
  }

  private void lost(HeldGrant held, LossReason reason) {
    if (grant == held) {
      client.locks().count("real lost " + reason);
      rest();
    }
  }

  private void write(long mine) {
    HeldGrant held = grant;
    if (held == null) {
      return;
    } else if (!held.validity().isSureAt(client.nanos())) {
      client.act(() -> client.core().lose(held, LossReason.DEADLINE_PASSED, client.nanos()));
      return;
    }
    client
        .host()
        .write(
            key,
            held.fencingToken(),
            isAccepted -> {
              if (mine == turn && !isAccepted) {
                client.act(this::release); // it is fenced: somebody else came after it
              }
            });
  }

  private void release() {
    HeldGrant held = grant;
    if (held != null) {
      grant = null;
      turn++;
      client.core().release(held, this, client.nanos());
    }
  }

  @Override
  public void released(boolean wasHeld) {
    client.locks().count("real released");
    rest();
  }

  @Override
  public void notAcquired(String why) {
    client.locks().count("real not acquired");
    rest();
  }

  @Override
  public void failed(Failure failure) {
    client.locks().count("real failed " + failure.getClass().getSimpleName());
    rest();
  }

  @Override
  public String toString() {
    return client + "/" + name + " " + key + " " + token() + " " + life();
  }
}
