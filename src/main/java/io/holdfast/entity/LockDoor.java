package io.holdfast.entity;

import akka.actor.typed.ActorSystem;
import akka.cluster.sharding.typed.javadsl.EntityRef;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The way of one member of the cluster to hold locks. Every call to {@link LockRef} is a holder of
 * its own: two of one process exclude each other. Safe for use by many threads.
 */
public final class LockDoor {

  /** How many requests for locks may be without an answer; one more is refused. */
  static final int MAX_OPEN = 100_000;

  private final LockWay way;
  private final Function<LockKey, EntityRef<LockMessage>> actors;
  private final Agenda agenda;
  private final GivingBack givingBack;
  private final ClientId client;
  private final LongSupplier nanoClock;
  private final LongSupplier random;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * A door.
   *
   * @param client whom others read to hold what is held through it
   * @param nanoClock monotonic, in nanoseconds
   * @param random where the names of requests come from
   */
  public LockDoor(
      ActorSystem<?> system,
      LockShards locks,
      ClientId client,
      LongSupplier nanoClock,
      LongSupplier random) {
    this(locks, locks::actor, Agenda.of(system), client, nanoClock, random);
  }

  LockDoor(
      LockWay way,
      Function<LockKey, EntityRef<LockMessage>> actors,
      Agenda agenda,
      ClientId client,
      LongSupplier nanoClock,
      LongSupplier random) {
    this.way = way;
    this.actors = actors;
    this.agenda = agenda;
    this.givingBack = new GivingBack(way::handle, agenda, nanoClock);
    this.client = client;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  /** The lock of a key. */
  public LockRef lock(LockKey key) {
    return new LockRef(this, key);
  }

  LockWay way() {
    return way;
  }

  GivingBack givingBack() {
    return givingBack;
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

  /** A name that no request had before. */
  RequestId.Once newRequest() {
    return new RequestId.Once(client, random.getAsLong());
  }

  void after(Duration delay, Runnable action) {
    agenda.after(delay, action);
  }

  /**
   * Asks for a lock, if not too many are asked for already. Whoever asked may be done with it
   * first, by completing or cancelling the stage's future: what it is granted then is given back.
   *
   * @param question is asked until what it is given completes: then nobody waits for the answer
   * @param cancel ends the request if nobody waits for its answer
   */
  CompletionStage<Optional<LockGrant>> asking(
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
              if (!answer.isDone()) { // else the answer came first, or is given back below
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
                granted.ifPresent(LockDoor::giveBack);
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

  private static void giveBack(LockGrant grant) {
    var unused = grant.unlock();
  }
}
