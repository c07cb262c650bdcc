package io.holdfast.simulation.cluster;

import io.holdfast.client.Grant;
import io.holdfast.client.LossReason;
import io.holdfast.client.NotSurelyHeld;
import io.holdfast.client.session.LockAttempt;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One caller of the real client: asks for a lock, holds it for a while, and gives it back, or gives
 * up. A second thread enters under the same grant now and then. The lock is given back when both
 * have left. Each believes to hold it by its own look at the grant.
 */
final class RealHandle {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final RealClient client;
  private final String name;
  private final SplittableRandom chance;
  private final RealEntry first;
  private final RealEntry second;
  private @Nullable CompletableFuture<Grant> asked;
  private long turn;

  RealHandle(RealClient client, String name) {
    this.client = client;
    this.name = name;
    chance = client.chance().split();
    first = new RealEntry(client, name);
    second = new RealEntry(client, name + "'s second thread");
  }

  RealEntry first() {
    return first;
  }

  RealEntry second() {
    return second;
  }

  // ------------------------------------------------------------------ what it does

  void rest() {
    first.leave();
    asked = null;
    long mine = ++turn;
    later(mine, chance.nextInt(200_000), "begins", this::begin);
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

  /* On an event of its own: what is thrown within a stage's callback is not seen by anybody. */
  private <T> void then(CompletionStage<T> stage, String what, Consumer<Optional<T>> told) {
    var unused =
        stage.whenComplete(
            (value, failure) -> {
              Optional<T> came = failure == null ? Optional.of(value) : Optional.empty();
              client.host().later(0, name + " " + what, () -> told.accept(came));
            });
  }

  private void begin() {
    if (client.locks().isCloseToTheEnd()) {
      return;
    }
    String key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    client.asksFor(key);
    long mine = ++turn;
    int dice = chance.nextInt(6);
    long patienceMs = dice < 2 ? 0 : dice < 5 ? 100 + chance.nextInt(1_500) : -1;
    long ownTtlMs = chance.nextInt(3) > 0 ? 0 : 200 + chance.nextInt(500);
    CompletableFuture<Grant> asking =
        client
            .callers()
            .acquire(
                new LockAttempt.Terms(
                    key, client.newHolder(name), ownTtlMs, patienceMs * NANOS_PER_MILLI));
    asked = asking;
    then(asking, "is answered", grant -> answered(mine, grant.orElse(null)));
    if (patienceMs < 0 || chance.nextInt(6) == 0) {
      later(mine, chance.nextInt(2_500_000), "gives up", this::giveUp);
    }
  }

  private void giveUp() {
    CompletableFuture<Grant> given = asked;
    if (given != null) {
      client.locks().count("real cancel");
      given.cancel(/* mayInterruptIfRunning= */ false);
      rest();
    }
  }

  private void answered(long mine, @Nullable Grant grant) {
    if (grant == null && mine == turn) {
      client.locks().count("real not acquired");
      rest();
    } else if (grant != null && mine == turn) {
      inside(grant);
    } else if (grant != null) {
      grant.releaseAsync(); // it came together with the end of the patience
    }
  }

  private void inside(Grant grant) {
    client.locks().count("real held");
    first.enter(grant);
    asked = null;
    long mine = ++turn;
    grant.onLost(reason -> lost(mine, reason));
    later(mine, 50_000 + chance.nextInt(900_000), "gives back", this::release);
    if (chance.nextBoolean()) {
      later(mine, chance.nextInt(400_000), "writes", () -> write(mine));
    }
    if (second.grant() == null && chance.nextInt(3) == 0) {
      later(mine, chance.nextInt(400_000), "enters again", () -> enterAgain(grant));
    }
  }

  private void lost(long mine, LossReason reason) {
    if (mine == turn) {
      client.locks().count("real lost " + reason);
      rest();
    }
  }

  private void enterAgain(Grant grant) {
    try {
      second.enter(grant.reenter());
    } catch (NotSurelyHeld lost) {
      client.locks().count("real entered too late");
      return;
    }
    client.locks().count("real entered again");
    client
        .host()
        .later(chance.nextInt(900_000), name + " leaves its second entry", this::leaveAgain);
  }

  private void leaveAgain() {
    Grant left = second.leave();
    if (left != null) {
      then(left.releaseAsync(), "has left", wasHeld -> client.locks().count("real left"));
    }
  }

  private void write(long mine) {
    Grant held = first.grant();
    if (held == null) {
      return;
    }
    try {
      held.ensureHeld();
    } catch (NotSurelyHeld lost) {
      client.locks().count("real noticed a loss");
      return; // it is told, too
    }
    client
        .host()
        .write(
            held.key(),
            held.fencingToken(),
            isAccepted -> {
              if (mine == turn && !isAccepted) {
                release(); // it is fenced: somebody else came after it
              }
            });
  }

  private void release() {
    Grant held = first.leave();
    if (held != null) {
      long mine = ++turn;
      then(
          held.releaseAsync(),
          "has given back",
          wasHeld -> {
            client
                .locks()
                .count(wasHeld.isPresent() ? "real released" : "real release without an answer");
            if (mine == turn) {
              rest();
            }
          });
    }
  }

  @Override
  public String toString() {
    return client + "/" + name;
  }
}
