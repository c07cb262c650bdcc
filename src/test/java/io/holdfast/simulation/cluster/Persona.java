package io.holdfast.simulation.cluster;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.wire.Renewal;
import java.util.function.LongConsumer;

/** Somebody in a story: asks for a lock, keeps it alive, writes under its token, gives it back. */
final class Persona {

  private static final long AGAIN_US = 300_000;

  private final ClientProcess process;
  private final String key;
  private final long ttlMs;
  private long token;
  private boolean isDone;

  Persona(ClientProcess process, String key, long ttlMs) {
    this.process = process;
    this.key = key;
    this.ttlMs = ttlMs;
  }

  /** Asks for the lock, however long it takes, and then keeps it alive. */
  void acquire(LongConsumer granted) {
    ask(
        new LockCommand.Acquire(
            process.named(1),
            HolderId.of(process.id(), process.id().value()),
            new Lifetime.Own(new Ttl(ttlMs)),
            new WaitTimeout(60_000),
            /* reenter= */ false,
            Metadata.NONE),
        granted);
  }

  private void ask(LockCommand.Acquire acquire, LongConsumer granted) {
    if (token != 0) {
      return;
    }
    process.ask(
        key,
        acquire,
        0,
        0,
        outcome -> {
          if (outcome instanceof Outcome.Acquired acquired && token == 0) {
            token = acquired.token().value();
            renew();
            granted.accept(token);
          }
        });
    process.later(AGAIN_US, "asks again", () -> ask(acquire, granted));
  }

  private void renew() {
    if (!isDone) {
      process.renew(
          new Renewal.OfGrant(new LockKey(key), new FencingToken(token)),
          answer -> isDone |= !answer.alive());
      process.later(ttlMs * 1_000 / 4, "renews", this::renew);
    }
  }

  /** Writes to the store, as if it still held the lock. */
  void write(Runnable accepted, Runnable refused) {
    process.write(
        key,
        token,
        isAccepted -> {
          if (isAccepted) {
            accepted.run();
          } else {
            refused.run();
          }
        });
  }

  /** Gives the lock back. */
  void release(Runnable then) {
    isDone = true;
    release(
        new LockCommand.Release(process.named(1), new FencingToken(token), true),
        then,
        new boolean[1]);
  }

  private void release(LockCommand.Release release, Runnable then, boolean[] answered) {
    if (answered[0]) {
      return;
    }
    process.ask(
        key,
        release,
        0,
        0,
        outcome -> {
          if (!answered[0]) {
            answered[0] = true;
            then.run();
          }
        });
    process.later(AGAIN_US, "gives back again", () -> release(release, then, answered));
  }

  ClientProcess process() {
    return process;
  }
}
