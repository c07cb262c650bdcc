package io.holdfast.grpc.call;

import io.holdfast.grpc.guard.Caller;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests under names of which a shard remembers what became of them: one address may have a
 * share of those of each shard, under however many names. Each counts for as long as it is
 * remembered. Safe for use by many threads.
 */
public final class RequestShare {

  /** As long as a shard remembers them, and a little longer. */
  static final Duration REMEMBERED = Duration.ofSeconds(160);

  /** So long those that came together count together. */
  private static final Duration TOGETHER = Duration.ofSeconds(10);

  /** From where to which shard. */
  private record Way(String network, int shard) {}

  private static final class Batch {
    private final long begunAt;
    private final Map<Way, Integer> counts = new HashMap<>();

    Batch(long begunAt) {
      this.begunAt = begunAt;
    }
  }

  private final int ofShard;
  private final IntSupplier nodes;
  private final LongSupplier nanoClock;
  private final Map<Way, Integer> counts = new HashMap<>();
  private final Deque<Batch> batches = new ArrayDeque<>();

  /**
   * None is remembered.
   *
   * @param ofShard how many a shard remembers
   * @param nodes how many nodes there are: an address may go to all of them
   * @param nanoClock monotonic, in nanoseconds
   */
  RequestShare(int ofShard, IntSupplier nodes, LongSupplier nanoClock) {
    this.ofShard = ofShard;
    this.nodes = nodes;
    this.nanoClock = nanoClock;
  }

  /**
   * Runs a call, if it has no name or its address has room for it.
   *
   * @param name under which its outcome is remembered; empty for none
   * @param isKnown whether an answer says that it was remembered before, and takes no room
   * @throws io.grpc.StatusRuntimeException if there is no room; nothing was done
   */
  public <T> CompletionStage<T> run(
      Caller caller,
      int shard,
      String name,
      Predicate<T> isKnown,
      Supplier<CompletionStage<T>> call) {
    if (name.isEmpty()) {
      return call.get();
    }
    Way way = new Way(caller.network(), shard);
    Batch batch = take(way);
    return call.get()
        .whenComplete(
            (answer, failure) -> {
              if (answer != null && isKnown.test(answer)) {
                give(way, batch);
              }
            });
  }

  private synchronized Batch take(Way way) {
    long now = nanoClock.getAsLong();
    forget(now);
    long most = Quota.ofAddress(ofShard, nodes.getAsInt());
    if (counts.getOrDefault(way, 0) >= most) {
      throw StatusMapping.error(
          Refusal.newBuilder()
              .setReason(Reason.REASON_TOO_MANY_REQUEST_IDS)
              .setMessage(
                  "[%d] requests of the address are remembered in this shard, the maximum by holdfast.locks.max-request-ids-per-shard"
                      .formatted(most))
              .setMaximum(most));
    }
    Batch batch = batches.peekLast();
    if (batch == null || now - batch.begunAt >= TOGETHER.toNanos()) {
      batch = new Batch(now);
      batches.add(batch);
    }
    counts.merge(way, 1, Integer::sum);
    batch.counts.merge(way, 1, Integer::sum);
    return batch;
  }

  private synchronized void give(Way way, Batch batch) {
    if (batch.counts.containsKey(way)) { // else all of it is forgotten
      add(batch.counts, way, -1);
      add(counts, way, -1);
    }
  }

  private void forget(long now) {
    Batch oldest = batches.peekFirst();
    while (oldest != null && now - oldest.begunAt >= REMEMBERED.plus(TOGETHER).toNanos()) {
      oldest.counts.forEach((way, count) -> add(counts, way, -count));
      oldest.counts.clear();
      batches.removeFirst();
      oldest = batches.peekFirst();
    }
  }

  private static void add(Map<Way, Integer> to, Way way, int more) {
    to.computeIfPresent(way, (same, count) -> atLeastOne(count + more));
  }

  private static @Nullable Integer atLeastOne(int count) {
    return count > 0 ? count : null;
  }
}
