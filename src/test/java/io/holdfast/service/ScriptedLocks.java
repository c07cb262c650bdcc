package io.holdfast.service;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.sharding.LockGateway;
import io.holdfast.sharding.TaskScheduler;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Locks whose answers and clock are controlled by the test. */
public final class ScriptedLocks {

  public record Asked(
      LockCommand command, CompletionStage<?> nobodyWaits, CompletableFuture<LockAnswer> answer) {}

  record Renewed(Renewal renewal, CompletableFuture<Renewal.Answer> answer) {}

  record Planned(long atNanos, Runnable action) {}

  public final Deque<Asked> asked = new ArrayDeque<>();
  final Deque<Renewed> renewed = new ArrayDeque<>();
  private final List<Planned> planned = new ArrayList<>();
  private long nowNanos = -5_000_000_000L;
  private long names;

  private final LockGateway gateway =
      new LockGateway() {
        @Override
        public CompletionStage<LockAnswer> handle(
            LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
          Asked now = new Asked(command, nobodyWaits, new CompletableFuture<>());
          asked.add(now);
          return now.answer;
        }

        @Override
        public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
          Renewed now = new Renewed(renewal, new CompletableFuture<>());
          renewed.add(now);
          return now.answer;
        }
      };

  private final TaskScheduler scheduler =
      new TaskScheduler() {
        @Override
        public void soon(Runnable action) {
          action.run();
        }

        @Override
        public TaskScheduler.Task after(Duration delay, Runnable action) {
          Planned one = new Planned(nowNanos + delay.toNanos(), action);
          planned.add(one);
          return () -> planned.remove(one);
        }

        @Override
        public void every(Duration pause, Runnable action) {
          throw new AssertionError("no repeated task is expected");
        }
      };

  public final LockClient lockClient;

  public ScriptedLocks(ClientId client) {
    lockClient =
        new LockClient(
            gateway,
            key -> {
              throw new AssertionError("no message to the actor is expected");
            },
            scheduler,
            client,
            () -> nowNanos,
            () -> ++names);
  }

  /** Moves the clock without running tasks. */
  void advance(long nanos) {
    nowNanos += nanos;
  }

  /** Moves the clock, and runs due tasks in order. */
  public void pass(Duration time) {
    long until = nowNanos + time.toNanos();
    while (true) {
      Optional<Planned> next =
          planned.stream()
              .filter(each -> each.atNanos <= until)
              .min((one, other) -> Long.compare(one.atNanos, other.atNanos));
      if (next.isEmpty()) {
        break;
      }
      planned.remove(next.get());
      nowNanos = Math.max(nowNanos, next.get().atNanos);
      next.get().action.run();
    }
    nowNanos = until;
  }
}
