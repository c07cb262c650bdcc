package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The appends of one shard's epoch that have no verdict yet. They are sent in the order of their
 * numbers. An append that returns without a verdict is sent again after a pause, with all appends
 * behind it.
 *
 * <p>Not thread safe.
 */
final class EpochQueue {

  /** One append without a verdict. */
  static final class PendingAppend {
    final EpochQueue queue;
    final long number;
    final Append append;
    final long bytes;
    final CompletableFuture<Verdict> result = new CompletableFuture<>();
    private boolean sent;

    private PendingAppend(EpochQueue queue, long number, Append append) {
      this.queue = queue;
      this.number = number;
      this.append = append;
      this.bytes = SendQueue.bytes(append);
    }

    void sent() {
      sent = true;
    }
  }

  private final ShardId shard;
  private final Epoch epoch;
  private final TreeMap<Long, PendingAppend> unjudged = new TreeMap<>();
  private long nextNumber = 1;
  private boolean paused;

  EpochQueue(ShardId shard, Epoch epoch) {
    this.shard = shard;
    this.epoch = epoch;
  }

  PendingAppend add(Function<AppendId, Append> append) {
    long number = nextNumber;
    PendingAppend pending =
        new PendingAppend(this, number, append.apply(new AppendId(shard, epoch, number)));
    if (pending.bytes > SendQueue.MAX_BYTES) {
      throw new IllegalArgumentException(
          "[%d] bytes exceed the maximum of a write [%d]"
              .formatted(pending.bytes, SendQueue.MAX_BYTES));
    }
    nextNumber++; // only now: an append that cannot be made must not leave a gap
    unjudged.put(number, pending);
    return pending;
  }

  ShardId shard() {
    return shard;
  }

  Epoch epoch() {
    return epoch;
  }

  /** True if this is the queue of an earlier epoch of the shard. */
  boolean isBefore(ShardId otherShard, Epoch otherEpoch) {
    return shard.equals(otherShard) && epoch.compareTo(otherEpoch) < 0;
  }

  int size() {
    return unjudged.size();
  }

  /** True if an append has returned without a verdict, so that all appends behind it wait, too. */
  boolean isPaused() {
    return paused;
  }

  /** Takes back an append that has no verdict. */
  void takeBack(PendingAppend pending) {
    if (unjudged.containsKey(pending.number)) {
      pending.sent = false;
      paused = true;
    }
  }

  /** Ends the pause. Returns the appends to send, in order. */
  List<PendingAppend> resume() {
    paused = false;
    return unjudged.values().stream().filter(pending -> !pending.sent).toList();
  }

  /** Removes an append that has its verdict. Returns false if it had one before. */
  boolean remove(PendingAppend pending) {
    return unjudged.remove(pending.number) != null;
  }

  /** The results of all appends that wait now. */
  List<CompletableFuture<Verdict>> results() {
    List<CompletableFuture<Verdict>> results = new ArrayList<>();
    unjudged.values().forEach(pending -> results.add(pending.result));
    return results;
  }
}
