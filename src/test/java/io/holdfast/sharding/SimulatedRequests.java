package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import io.holdfast.id.LeaseId;
import io.holdfast.id.ShardId;
import io.holdfast.keeper.SimulatedScheduler;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.service.LockClient;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ReplyTo;
import io.holdfast.wire.ResendSchedule;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The requests of one process to locks and leases, in virtual time and without Akka: the real
 * {@link LockRequests} and {@link LockClient}s, on a simulated network.
 */
public final class SimulatedRequests {

  /** The services of the process. */
  public interface Node {

    /** Runs an action later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Returns the monotonic clock. */
    long nanos();

    /** Returns the delay of the next hand-over between two threads. */
    long delayUs();

    /** Returns the time until another thread has run a task. */
    long soonUs();

    int shards();

    ShardId shardOf(String name);

    /** Sends a message to an actor. The answer may be lost. */
    void tell(String name, ShardMessage message);

    /** Sends a renewal. */
    void renew(Renewal renewal, Consumer<Renewal.Answer> answered);
  }

  /** Observes the requests of a lock client, and each answer before the client gets it. */
  public interface Observer {

    Consumer<LockAnswer> asks(LockKey key, LockCommand command);

    Consumer<Renewal.Answer> renews(Renewal renewal);
  }

  private final Node node;
  private final TaskScheduler scheduler;
  private final Duration answerWithin;
  private final RetryingAsk retryingAsk;
  private final LockRequests requests;

  public SimulatedRequests(Node node, Duration answerWithin) {
    this.node = node;
    this.answerWithin = answerWithin;
    scheduler = new SimulatedScheduler(node::later, node::soonUs);
    retryingAsk = new RetryingAsk(new OfNode(), scheduler, node::nanos, node.shards());
    requests =
        new LockRequests(
            retryingAsk, scheduler, node::nanos, this::actor, node::shardOf, answerWithin);
  }

  private RecipientRef<ShardMessage> actor(String name) {
    return new ReplyTo<>(message -> node.tell(name, message));
  }

  /** Sends a command to a lock, as a single call does. */
  public CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return requests.ask(key, command, nobodyWaits);
  }

  /** Sends a command to a lease. */
  public CompletionStage<LeaseAnswer> ask(LeaseId lease, LeaseCommand command) {
    return requests.ask(lease, command);
  }

  /**
   * Sends a request of a session to a lock. The client itself resends it.
   *
   * @param number the number of the request in its session
   * @param lowestOpen the lowest number that the session still waits for
   */
  public void ask(
      LockKey key,
      LockCommand command,
      long number,
      long lowestOpen,
      CompletionStage<?> nobodyWaits,
      Consumer<LockAnswer> answered) {
    ResendSchedule schedule = new ResendSchedule(node.nanos());
    var unused =
        retryingAsk
            .<LockAnswer>ask(
                actor(key.value()),
                node.shardOf(key.value()),
                replyTo -> new LockMessage.Handle(command, number, lowestOpen, false, replyTo),
                patience(command).plus(answerWithin),
                schedule,
                nobodyWaits)
            .thenAccept(
                answer -> {
                  if (schedule.isOutcome(answer)) {
                    answered.accept(answer);
                  }
                });
  }

  private static Duration patience(LockCommand command) {
    return command instanceof LockCommand.Acquire acquire
        ? acquire.waitTimeout().toDuration()
        : Duration.ZERO;
  }

  /** Notes the new owner of a shard. */
  public void moved(ShardId shard) {
    retryingAsk.moved(shard);
  }

  /** Creates a lock client for an Akka service in this process. */
  public LockClient lockClient(ClientId client, LongSupplier random, Observer observer) {
    return new LockClient(
        new Heard(observer),
        key -> {
          throw new AssertionError("no message to the actor is expected");
        },
        scheduler,
        client,
        node::nanos,
        random);
  }

  private <T> void failLater(CompletableFuture<T> answer, Duration within) {
    node.later(
        within.toNanos() / 1_000,
        "no answer came",
        () -> answer.completeExceptionally(new TimeoutException("no answer came")));
  }

  private final class OfNode implements ActorAsk {
    @Override
    public <T> CompletionStage<T> ask(
        RecipientRef<ShardMessage> actor,
        Function<ActorRef<T>, ShardMessage> question,
        Duration within) {
      CompletableFuture<T> answer = new CompletableFuture<>();
      actor.tell(question.apply(new ReplyTo<>(answer::complete)));
      failLater(answer, within);
      return answer;
    }
  }

  /** A gateway to locks with an observer. */
  private final class Heard implements LockGateway {
    private final Observer observer;

    Heard(Observer observer) {
      this.observer = observer;
    }

    @Override
    public CompletionStage<LockAnswer> handle(
        LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
      Consumer<LockAnswer> heard = observer.asks(key, command);
      return requests
          .ask(key, command, nobodyWaits)
          .thenApply(
              answer -> {
                heard.accept(answer);
                return answer;
              });
    }

    /* On another thread, as with Akka. */
    @Override
    public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
      CompletableFuture<Renewal.Answer> answer = new CompletableFuture<>();
      Consumer<Renewal.Answer> heard = observer.renews(renewal);
      node.later(
          node.delayUs(),
          renewal,
          () ->
              node.renew(
                  renewal,
                  content -> {
                    if (!answer.isDone()) {
                      heard.accept(content);
                      answer.complete(content);
                    }
                  }));
      failLater(answer, answerWithin);
      return answer;
    }
  }
}
