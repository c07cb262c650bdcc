package io.holdfast.service;

import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import io.holdfast.sharding.LockGateway;
import io.holdfast.sharding.LockShards;
import io.holdfast.sharding.PendingReleases;
import io.holdfast.sharding.TaskScheduler;
import io.holdfast.wire.LockMessage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * A client of the locks in one member of the cluster. Every acquire through a {@link LockRef} is a
 * holder of its own: two acquires of one process exclude each other. Safe for use by many threads.
 */
public final class LockClient {

  /** The largest number of open acquires; one more is refused. */
  static final int MAX_OPEN = 100_000;

  private final LockGateway gateway;
  private final Function<LockKey, EntityRef<LockMessage>> actors;
  private final TaskScheduler scheduler;
  private final PendingReleases pendingReleases;
  private final ClientId client;
  private final LongSupplier nanoClock;
  private final LongSupplier random;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * Creates a client.
   *
   * @param client the id that others read as the holder
   * @param nanoClock monotonic, in nanoseconds
   * @param random the source of request ids
   */
  public LockClient(
      ActorSystem<?> system,
      LockShards locks,
      ClientId client,
      LongSupplier nanoClock,
      LongSupplier random) {
    this(locks, locks::actor, TaskScheduler.of(system), client, nanoClock, random);
  }

  public LockClient(
      LockGateway gateway,
      Function<LockKey, EntityRef<LockMessage>> actors,
      TaskScheduler scheduler,
      ClientId client,
      LongSupplier nanoClock,
      LongSupplier random) {
    this.gateway = gateway;
    this.actors = actors;
    this.scheduler = scheduler;
    this.pendingReleases = new PendingReleases(gateway::handle, scheduler, nanoClock);
    this.client = client;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  /** Returns the lock of a key. */
  public LockRef lock(LockKey key) {
    return new LockRef(this, key);
  }

  LockGateway gateway() {
    return gateway;
  }

  public PendingReleases pendingReleases() {
    return pendingReleases;
  }

  EntityRef<LockMessage> actor(LockKey key) {
    return actors.apply(key);
  }

  ClientId client() {
    return client;
  }

  long nowNanos() {
    return nanoClock.getAsLong();
  }

  /** Returns an id that no request had before. */
  RequestId.Once newRequest() {
    return new RequestId.Once(client, random.getAsLong());
  }

  void after(Duration delay, Runnable action) {
    scheduler.after(delay, action);
  }

  /**
   * Acquires a lock, unless too many acquires are open. The caller may give up, by completing or
   * cancelling the stage's future: a grant that comes later is released.
   *
   * @param question sends the request; its argument completes when nobody waits for the answer
   * @param cancel cancels the request if nobody waits for its answer
   */
  CompletionStage<Optional<LockGrant>> acquire(
      Function<CompletionStage<?>, CompletionStage<Optional<LockGrant>>> question,
      Runnable cancel) {
    if (open.incrementAndGet() > MAX_OPEN) {
      open.decrementAndGet();
      return CompletableFuture.failedFuture(
          new LockShards.Overloaded("too many requests of this member wait for locks"));
    }
    CompletableFuture<Void> nobodyWaits = new CompletableFuture<>();
    CompletableFuture<Optional<LockGrant>> answer = answer(question, nobodyWaits);
    CompletableFuture<Optional<LockGrant>> result = new CompletableFuture<>();
    var unused =
        result.whenComplete(
            (content, failure) -> {
              if (!answer.isDone()) { // else the answer came first, or its grant is released below
                nobodyWaits.complete(null);
                cancel.run();
              }
            });
    var unusedToo =
        answer.whenComplete(
            (granted, failure) -> {
              open.decrementAndGet();
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (!result.complete(granted)) {
                granted.ifPresent(LockClient::release);
              }
            });
    return result;
  }

  private static CompletableFuture<Optional<LockGrant>> answer(
      Function<CompletionStage<?>, CompletionStage<Optional<LockGrant>>> question,
      CompletionStage<?> nobodyWaits) {
    try {
      return question.apply(nobodyWaits).toCompletableFuture();
    } catch (RuntimeException e) { // the actor system has ended
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void release(LockGrant grant) {
    var unused = grant.unlock();
  }
}
