package io.holdfast.simulation.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The thread of a process that applies the log: it comes a little later than what has the log
 * committed, and goes on while others are in the middle of something. So two looks at the journal,
 * one after the other, may see two versions.
 */
final class ApplyThread {

  private final NodeProcess process;
  private final SplittableRandom chance;
  private final Deque<Runnable> work = new ArrayDeque<>();
  private boolean isCalled;
  private boolean isAtWork;

  ApplyThread(NodeProcess process, SplittableRandom chance) {
    this.process = process;
    this.chance = chance;
  }

  /** Has something done, after all that came before. */
  void then(Runnable action) {
    work.add(action);
    if (!isCalled) {
      isCalled = true;
      int delayUs = chance.nextInt(chance.nextInt(10) == 0 ? 20_000 : 800);
      process
          .member()
          .later(
              delayUs,
              "applies",
              () -> {
                isCalled = false;
                run(Integer.MAX_VALUE);
              });
    }
  }

  boolean isIdle() {
    return work.isEmpty();
  }

  /** Does all that is left. */
  void finish() {
    run(Integer.MAX_VALUE);
  }

  private void run(int most) {
    if (isAtWork) {
      return; // it is one thread
    }
    isAtWork = true;
    try {
      for (int i = 0; i < most && !work.isEmpty(); i++) {
        work.remove().run();
      }
    } finally {
      isAtWork = false;
    }
  }

  /** A store whose version moves on, as it happens, just before somebody looks. */
  JournalStore seenThrough(JournalStore store) {
    return new JournalStore() {
      @Override
      public CompletionStage<Verdict> append(
          ShardId shard, Epoch epoch, Function<AppendId, Append> append) {
        return store.append(shard, epoch, append);
      }

      @Override
      public void answerOn(Executor executor) {
        store.answerOn(executor);
      }

      @Override
      public JournalVersion version() {
        if (!work.isEmpty() && chance.nextInt(3) == 0) {
          run(1 + chance.nextInt(4));
        }
        return store.version();
      }

      @Override
      public CompletionStage<JournalVersion> confirmed() {
        return store.confirmed();
      }

      @Override
      public CompletionStage<JournalVersion> settled(ShardId shard) {
        return store.settled(shard);
      }
    };
  }
}
