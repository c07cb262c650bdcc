package io.holdfast.grpc.call;

import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.ShardId;
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
 * The quota of request ids whose outcomes a shard remembers. One address may have a share of each
 * shard's maximum, whatever client names it uses. Each request counts as long as it is remembered.
 * Safe for use by many threads.
 */
public final class RequestQuota {

  /** The time for which a request counts: a little longer than a shard remembers it. */
  static final Duration REMEMBERED = Duration.ofSeconds(160);

  /** Requests of the same interval are forgotten together. */
  private static final Duration TOGETHER = Duration.ofSeconds(10);

  /** A client's network address and a shard. */
  private record AddressAndShard(String network, ShardId shard) {}

  private static final class TimeSlice {
    private final long begunAt;
    private final Map<AddressAndShard, Integer> counts = new HashMap<>();

    TimeSlice(long begunAt) {
      this.begunAt = begunAt;
    }
  }

  private final int ofShard;
  private final IntSupplier nodes;
  private final LongSupplier nanoClock;
  private final Map<AddressAndShard, Integer> counts = new HashMap<>();
  private final Deque<TimeSlice> batches = new ArrayDeque<>();

  /**
   * Starts without requests.
   *
   * @param ofShard the number of requests that a shard remembers
   * @param nodes the number of nodes; an address may use all of them
   * @param nanoClock monotonic, in nanoseconds
   */
  RequestQuota(int ofShard, IntSupplier nodes, LongSupplier nanoClock) {
    this.ofShard = ofShard;
    this.nodes = nodes;
    this.nanoClock = nanoClock;
  }

  /**
   * Runs a call, if it has no request id or its address has room for it.
   *
   * @param name the request id; empty for none
   * @param isKnown true if the answer shows that the request was remembered before, and takes no
   *     room
   * @throws io.grpc.StatusRuntimeException if there is no room; nothing is changed
   */
  public <T> CompletionStage<T> run(
      ClientConnection caller,
      ShardId shard,
      String name,
      Predicate<T> isKnown,
      Supplier<CompletionStage<T>> call) {
    if (name.isEmpty()) {
      return call.get();
    }
    AddressAndShard key = new AddressAndShard(caller.network(), shard);
    TimeSlice batch = take(key);
    return call.get()
        .whenComplete(
            (answer, failure) -> {
              if (answer != null && isKnown.test(answer)) {
                give(key, batch);
              }
            });
  }

  private synchronized TimeSlice take(AddressAndShard key) {
    long now = nanoClock.getAsLong();
    forget(now);
    long most = Quota.ofAddress(ofShard, nodes.getAsInt());
    if (counts.getOrDefault(key, 0) >= most) {
      throw StatusMapping.error(
          Refusal.newBuilder()
              .setReason(Reason.REASON_TOO_MANY_REQUEST_IDS)
              .setMessage(
                  "[%d] requests of the address are remembered in this shard, the maximum by holdfast.locks.max-request-ids-per-shard"
                      .formatted(most))
              .setMaximum(most));
    }
    TimeSlice batch = batches.peekLast();
    if (batch == null || now - batch.begunAt >= TOGETHER.toNanos()) {
      batch = new TimeSlice(now);
      batches.add(batch);
    }
    counts.merge(key, 1, Integer::sum);
    batch.counts.merge(key, 1, Integer::sum);
    return batch;
  }

  private synchronized void give(AddressAndShard key, TimeSlice batch) {
    if (batch.counts.containsKey(key)) { // else the whole interval is forgotten
      add(batch.counts, key, -1);
      add(counts, key, -1);
    }
  }

  private void forget(long now) {
    TimeSlice oldest = batches.peekFirst();
    while (oldest != null && now - oldest.begunAt >= REMEMBERED.plus(TOGETHER).toNanos()) {
      oldest.counts.forEach((key, count) -> add(counts, key, -count));
      oldest.counts.clear();
      batches.removeFirst();
      oldest = batches.peekFirst();
    }
  }

  private static void add(Map<AddressAndShard, Integer> to, AddressAndShard key, int more) {
    to.computeIfPresent(key, (same, count) -> atLeastOne(count + more));
  }

  private static @Nullable Integer atLeastOne(int count) {
    return count > 0 ? count : null;
  }
}
