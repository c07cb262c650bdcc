package io.holdfast.server;

import io.holdfast.id.ShardId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The first answers of the shards, asked by way of a node that starts. Each is asked until it
 * answers: before that a client would wait for it in vain.
 */
final class FirstAnswers {

  /** The most shards that are asked at one time. */
  static final int MOST_AT_A_TIME = 64;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final Function<ShardId, CompletionStage<?>> ask;
  private final Executor again;
  private final Deque<ShardId> next = new ArrayDeque<>();
  private final Set<ShardId> open = new TreeSet<>();
  private final CompletableFuture<Void> all = new CompletableFuture<>();
  private volatile boolean stopped;

  private FirstAnswers(Function<ShardId, CompletionStage<?>> ask, Executor again) {
    this.ask = ask;
    this.again = again;
  }

  /**
   * Begins to ask these shards.
   *
   * @param ask asks one; any answer will do, and what fails is asked again after a pause
   */
  static FirstAnswers begin(Collection<ShardId> shards, Function<ShardId, CompletionStage<?>> ask) {
    return begin(
        shards, ask, CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** As {@link #begin(Collection, Function)}, with an executor of repeated questions. */
  static FirstAnswers begin(
      Collection<ShardId> shards, Function<ShardId, CompletionStage<?>> ask, Executor again) {
    FirstAnswers answers = new FirstAnswers(ask, again);
    answers.begin(shards);
    return answers;
  }

  /** Completes when all have answered. */
  CompletableFuture<Void> all() {
    return all;
  }

  /** Stops asking again. */
  void stop() {
    stopped = true;
  }

  /** Those that have not answered. */
  synchronized Set<ShardId> missing() {
    return new TreeSet<>(open);
  }

  private synchronized void begin(Collection<ShardId> shards) {
    open.addAll(shards);
    next.addAll(open);
    for (int i = 0; i < MOST_AT_A_TIME; i++) {
      askNext();
    }
  }

  private void askNext() {
    ShardId shard = next.poll();
    if (shard != null) {
      askFor(shard);
    } else if (open.isEmpty()) {
      all.complete(null);
    }
  }

  private void askFor(ShardId shard) {
    var unused =
        ask.apply(shard)
            .whenComplete(
                (answer, failure) -> {
                  if (failure == null) {
                    answered(shard);
                  } else if (!stopped) {
                    again.execute(() -> askFor(shard));
                  }
                });
  }

  private synchronized void answered(ShardId shard) {
    open.remove(shard);
    askNext();
  }
}
