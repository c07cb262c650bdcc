package io.holdfast.simulation.cluster;

import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.service.LockGrant;
import io.holdfast.service.LockRef;
import io.holdfast.service.LockRefused;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One who asks for locks in a service, one at a time: holds each for a while, writes under its
 * token, and gives it back; or gives up. It believes what its grant says.
 */
final class ServiceHandle implements Belief {

  private static final int LONG_MS = 4_000;
  private static final int GIVES_UP_US = 2_500_000;

  private final Service service;
  private final String name;
  private final SplittableRandom chance;
  private String key = ClusterLocks.KEYS.get(0);
  private Ttl ttl = new Ttl(Ttl.MIN_MILLIS);
  private @Nullable CompletableFuture<Optional<LockGrant>> attempt;
  private @Nullable RequestId request;
  private @Nullable LockGrant grant;
  private long untilMs;
  private long turn;

  ServiceHandle(Service service, String name) {
    this.service = service;
    this.name = name;
    chance = service.chance().split();
  }

  @Override
  public boolean believesToHold() {
    LockGrant held = grant;
    return held != null && held.isSurelyHeld();
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public long token() {
    LockGrant held = grant;
    return held == null ? 0 : held.token().value();
  }

  @Override
  public Lifetime life() {
    return new Lifetime.Own(ttl);
  }

  // ------------------------------------------------------------------ what it does

  void rest() {
    attempt = null;
    grant = null;
    long mine = ++turn;
    service.later(
        chance.nextInt(200_000),
        name + " begins",
        () -> {
          if (mine == turn && !service.locks().isCloseToTheEnd()) {
            ask(++turn);
          }
        });
  }

  private void ask(long mine) {
    key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
    service.asksFor(key);
    ttl = new Ttl(150 + chance.nextInt(450) + (chance.nextInt(4) == 0 ? LONG_MS : 0));
    LockRef lock = service.lockClient().lock(new LockKey(key));
    CompletableFuture<Optional<LockGrant>> asked =
        (chance.nextInt(3) == 0
                ? lock.tryLock(ttl.toDuration())
                : lock.lock(ttl.toDuration(), Duration.ofMillis(100 + chance.nextInt(1_500))))
            .toCompletableFuture();
    attempt = asked;
    RequestId asks = service.lastRequest();
    request = asks;
    var unused =
        asked.whenComplete(
            (granted, failure) ->
                service.later(
                    service.delayUs(),
                    name + " is told " + granted,
                    () ->
                        answered(
                            mine, asks, failure == null ? granted : Optional.empty(), failure)));
    if (chance.nextInt(3) == 0) {
      service.later(
          chance.nextInt(GIVES_UP_US),
          name + " gives up",
          () -> {
            if (mine == turn) {
              giveUp();
            }
          });
    }
  }

  /** An answer that has come already, and that it has not been told, counts. */
  private void giveUp() {
    CompletableFuture<Optional<LockGrant>> asked = attempt;
    if (asked != null && asked.cancel(false)) {
      service.count("gives up");
      service.gives(key, java.util.Objects.requireNonNull(request));
      rest();
    }
  }

  private void answered(
      long mine, RequestId asked, Optional<LockGrant> granted, @Nullable Throwable failure) {
    if (mine != turn) {
      return;
    } else if (granted.isPresent()) {
      hold(++turn, granted.get());
    } else {
      if (failure != null) {
        failed(asked, failure);
      }
      rest();
    }
  }

  private void failed(RequestId asked, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof TimeoutException) {
      service.count("not answered");
      service.gives(key, asked);
    } else if (!(cause instanceof LockRefused || cause instanceof CancellationException)) {
      throw new AssertionError(failure);
    }
  }

  private void hold(long mine, LockGrant held) {
    attempt = null;
    grant = held;
    service.count("holds");
    untilMs = service.nowMs() + 50 + chance.nextInt(900);
    var unused =
        held.lost()
            .thenAccept(
                why ->
                    service.later(
                        service.delayUs(),
                        name + " loses " + held,
                        () -> {
                          service.count("loses");
                          service.gives(key(held), held.token().value());
                          if (mine == turn) {
                            rest();
                          }
                        }));
    stay(mine, held);
  }

  private static String key(LockGrant held) {
    return held.key().value();
  }

  private void stay(long mine, LockGrant held) {
    if (mine != turn) {
      return;
    } else if (service.nowMs() >= untilMs) {
      leave(held);
      return;
    }
    if (chance.nextInt(6) == 0) {
      var unused = held.renew();
    }
    if (held.isSurelyHeld() && chance.nextInt(3) == 0) {
      write(held);
    }
    service.later(20_000 + chance.nextInt(200_000), name + " holds", () -> stay(mine, held));
  }

  private void write(LockGrant held) {
    service.later(
        chance.nextInt(50_000),
        name + " writes",
        () -> service.locks().write(key(held), held.token().value()));
  }

  private void leave(LockGrant held) {
    var unused = held.unlock();
    service.gives(key(held), held.token().value());
    rest();
  }

  /** It lets go of what it holds, and of what it asks for. */
  void close() {
    LockGrant held = grant;
    if (held != null) {
      leave(held);
    } else {
      giveUp();
    }
  }

  @Override
  public String toString() {
    return name + " " + key + " " + grant + " " + ttl;
  }
}
