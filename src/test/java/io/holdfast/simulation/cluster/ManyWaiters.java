package io.holdfast.simulation.cluster;

import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import java.util.SplittableRandom;

/** Many requests for one lock at once: its queue is long for a moment. Each comes only once. */
final class ManyWaiters {

  /** One life of so many has them, since they cost. */
  private static final int LIVES = 40;

  private static final int COUNT = 300;
  private static final int TOGETHER = 40;
  private static final long PAUSE_US = 20_000;

  private final ClientProcess process;
  private final SplittableRandom chance;
  private final String key;
  private int came;

  /** They come to some lives. */
  static void comeToSome(ClusterLocks locks, SplittableRandom chance) {
    if (chance.nextInt(LIVES) == 0) {
      new ManyWaiters(locks.newPersona("crowd"), chance).begin();
    }
  }

  private ManyWaiters(ClientProcess process, SplittableRandom chance) {
    this.process = process;
    this.chance = chance;
    key = ClusterLocks.KEYS.get(chance.nextInt(ClusterLocks.KEYS.size()));
  }

  private void begin() {
    process.later(500_000 + chance.nextInt(2_000_000), "many waiters come", this::come);
  }

  private void come() {
    for (int i = 0; i < TOGETHER; i++) {
      enter(HolderId.of(process.id(), "one-" + ++came));
    }
    if (came < COUNT && !process.locks().isCloseToTheEnd()) {
      process.later(PAUSE_US, "more of many waiters come", this::come);
    }
  }

  private void enter(HolderId one) {
    process.ask(
        key,
        new LockCommand.Acquire(
            process.named(came),
            one,
            new Lifetime.Own(new Ttl(Ttl.MIN_MILLIS + chance.nextInt(1_000))),
            new WaitTimeout(500 + chance.nextInt(1_000)),
            /* reenter= */ false,
            Metadata.NONE),
        0,
        0,
        this::answered);
  }

  private void answered(Outcome outcome) {
    if (outcome instanceof Outcome.Acquired acquired && acquired.isHeld()) {
      process.locks().count("held by one of many waiters");
      LockCommand.Release release =
          new LockCommand.Release(process.nameless(came), acquired.token(), /* all= */ true);
      process.ask(key, release, 0, 0, told -> {});
    }
  }
}
