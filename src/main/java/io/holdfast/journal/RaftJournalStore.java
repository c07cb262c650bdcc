package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.EpochQueue.PendingAppend;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Verdict;
import io.holdfast.raft.ConsensusLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import scala.concurrent.Batchable;

/**
 * The journal in the replicated log.
 *
 * <p>While an entry is in flight, further appends are collected. They are sent together in the next
 * entry, when that one is answered or when there are many. Only an append that returned without a
 * verdict waits for a timer. An entry costs each member more than the appends in it.
 */
public final class RaftJournalStore implements JournalStore {

  /** The most entries in flight. */
  private static final int MAX_IN_FLIGHT = 4;

  /** The number of collected appends that are sent although an entry is in flight. */
  public static final int MANY = 64;

  private record QueueId(ShardId shard, Epoch epoch) {

    /* A node that takes many shards gets consecutive epochs, whose hashes as records collide. */
    @Override
    public int hashCode() {
      return Long.hashCode((epoch.value() << Short.SIZE ^ shard.value()) * 0x9E3779B97F4A7C15L);
    }
  }

  private record Completion(CompletableFuture<Verdict> result, Verdict verdict) {}

  /**
   * Completes the results of one entry. The messages that they cause in an actor system run in the
   * same task.
   */
  private record CompletionTask(List<Completion> completions) implements Runnable, Batchable {
    @Override
    public void run() {
      for (Completion each : completions) {
        each.result.complete(each.verdict);
      }
    }
  }

  private final ConsensusLog log;
  private final JournalStateMachine machine;
  private final int maxOpen;
  private final int many;
  private final Executor afterPause;

  private final Map<QueueId, EpochQueue> queues = new HashMap<>();
  private final SendQueue outgoing = new SendQueue();
  private final Map<Long, List<PendingAppend>> inFlight = new HashMap<>();
  private long lastEntry;
  private volatile Executor completing = Runnable::run;

  /**
   * A store over a log that runs this machine.
   *
   * @param maxOpen the most appends of one shard's epoch without a verdict; no more than the
   *     verdicts that the journal keeps
   * @param many the number of collected appends that are sent although an entry is in flight
   * @param afterPause runs a task a little later, to resend appends
   */
  public RaftJournalStore(
      ConsensusLog log, JournalStateMachine machine, int maxOpen, int many, Executor afterPause) {
    this.log = log;
    this.machine = machine;
    this.maxOpen = maxOpen;
    this.many = many;
    this.afterPause = afterPause;
    machine.setVerdictListener(this::judged);
  }

  @Override
  public void answerOn(Executor executor) {
    completing = executor;
  }

  @Override
  public JournalVersion version() {
    return machine.version();
  }

  @Override
  public CompletionStage<JournalVersion> confirmed() {
    return log.readBarrier()
        .thenApply(
            outcome -> {
              if (!outcome.isSafe()) {
                throw new IllegalStateException(
                    "the log does not confirm the read: [" + outcome.refusal() + "]");
              }
              return version();
            });
  }

  @Override
  public CompletionStage<JournalVersion> settled(ShardId shard) {
    List<CompletableFuture<Verdict>> results = new ArrayList<>();
    synchronized (this) {
      queues.values().stream()
          .filter(queue -> queue.shard().equals(shard))
          .forEach(queue -> results.addAll(queue.results()));
    }
    return CompletableFuture.allOf(results.toArray(CompletableFuture[]::new))
        .thenApply(all -> version());
  }

  @Override
  public synchronized CompletionStage<Verdict> append(
      ShardId shard, Epoch epoch, Function<AppendId, Append> append) {
    EpochQueue queue = queues.get(new QueueId(shard, epoch));
    if (queue == null) {
      queue = begin(new QueueId(shard, epoch));
    }
    if (queue.size() >= maxOpen) {
      return CompletableFuture.failedFuture(new StoreFull(shard, maxOpen));
    }
    PendingAppend pending;
    try {
      pending = queue.add(append);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    if (!queue.isPaused()) {
      outgoing.add(pending);
      send();
    }
    return pending.result;
  }

  /**
   * Starts the queue of a new epoch. Earlier epochs have ended, and their empty queues are removed.
   */
  private EpochQueue begin(QueueId id) {
    queues.values().removeIf(queue -> queue.isBefore(id.shard, id.epoch) && queue.size() == 0);
    EpochQueue queue = new EpochQueue(id.shard, id.epoch);
    queues.put(id, queue);
    return queue;
  }

  /** Sends the collected appends, as far as the bound on entries in flight allows. */
  private void send() {
    while (isToSend()) {
      List<PendingAppend> together = outgoing.take();
      long number = ++lastEntry;
      inFlight.put(number, together);
      EntryCodec.Entry entry =
          new EntryCodec.Entry(machine.writer(), number, SendQueue.appends(together));
      var unused =
          log.propose(EntryCodec.encode(JournalStateMachine.CODE, entry))
              .thenAccept(
                  outcome -> {
                    if (!outcome.isApplied()) {
                      takeBack(number);
                    }
                  });
    }
  }

  private boolean isToSend() {
    return inFlight.isEmpty()
        ? !outgoing.isEmpty()
        : outgoing.size() >= many && inFlight.size() < MAX_IN_FLIGHT;
  }

  /**
   * Takes back an entry that is not in the log, or may not be. If it is in the log after all, its
   * appends get the verdict of the first time when they are sent again.
   */
  private synchronized void takeBack(long number) {
    List<PendingAppend> together = inFlight.remove(number);
    if (together != null) {
      pause(together);
      afterPause.execute(this::sendMore); // there is room for an entry again, but wait a little
    }
  }

  private synchronized void sendMore() {
    send();
  }

  /**
   * Receives the verdicts on an entry, on the log's thread, before anyone else is told that it is
   * applied.
   */
  private void judged(long number, List<Verdict> verdicts) {
    List<Completion> completions;
    synchronized (this) {
      List<PendingAppend> together = inFlight.remove(number);
      if (together == null) {
        return; // it had returned, and is sent again
      }
      completions = new ArrayList<>(together.size());
      List<PendingAppend> again = new ArrayList<>();
      for (int i = 0; i < together.size(); i++) {
        PendingAppend pending = together.get(i);
        Verdict verdict = verdicts.get(i);
        if (verdict instanceof Verdict.Gap) {
          again.add(pending);
        } else if (pending.queue.remove(pending)) {
          completions.add(new Completion(pending.result, verdict));
          removeIfFenced(pending.queue, verdict);
        }
      }
      pause(again);
      send();
    }
    complete(completions);
  }

  /* One task for all: the log's thread is busy, and wakes up one other thread at most. */
  private void complete(List<Completion> completions) {
    CompletionTask task = new CompletionTask(completions);
    try {
      completing.execute(task);
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  private void pause(List<PendingAppend> again) {
    Set<EpochQueue> paused = new LinkedHashSet<>(); // in order, on every run
    for (PendingAppend pending : again) {
      pending.queue.takeBack(pending);
      paused.add(pending.queue);
    }
    for (EpochQueue queue : paused) {
      outgoing.pause(queue);
      afterPause.execute(() -> resume(queue));
    }
  }

  private synchronized void resume(EpochQueue queue) {
    if (queue.isPaused()) {
      outgoing.resume(queue);
      send();
    }
  }

  /**
   * Removes the queue of an epoch that has ended. A writer that still appends under it is told so
   * again.
   */
  private void removeIfFenced(EpochQueue queue, Verdict verdict) {
    if (verdict instanceof Verdict.Fenced && queue.size() == 0) {
      queues.remove(new QueueId(queue.shard(), queue.epoch()), queue);
    }
  }
}
