package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.RecipientRef;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The requests of one process to locks and leases, in virtual time and without Akka: the real
 * {@link LockRequests} and {@link LockDoor}s, on a simulated way to the actors.
 */
public final class SimulatedRequests {

  /** What they need of their process. */
  public interface Node {

    /** Does something later, if the process lives then. */
    void later(long delayUs, Object what, Runnable action);

    /** Its monotonic clock. */
    long nanos();

    /** How long the next hand-over between two threads takes. */
    long delayUs();

    /** How long until another thread is free, and done. */
    long soonUs();

    int shards();

    int shardOf(String name);

    /** Sends this to an actor. What it answers may come back, or not. */
    void tell(String name, ShardMessage message);

    /** Gives a sign of life. */
    void renew(Renewal renewal, Consumer<Renewal.Answer> answered);
  }

  /** Hears what is asked by a door, and then each answer before the door's owner does. */
  public interface Ear {

    Consumer<LockAnswer> asks(LockKey key, LockCommand command);

    Consumer<Renewal.Answer> renews(Renewal renewal);
  }

  private final Node node;
  private final Agenda agenda;
  private final Duration answerWithin;
  private final Insistence insistence;
  private final LockRequests requests;

  public SimulatedRequests(Node node, Duration answerWithin) {
    this.node = node;
    this.answerWithin = answerWithin;
    agenda = new SimulatedAgenda(node::later, node::soonUs);
    insistence = new Insistence(new OfNode(), agenda, node::nanos, node.shards());
    requests =
        new LockRequests(insistence, agenda, node::nanos, this::actor, node::shardOf, answerWithin);
  }

  private RecipientRef<ShardMessage> actor(String name) {
    return new ReplyTo<>(message -> node.tell(name, message));
  }

  /** Has a lock do something, as a single call does. */
  public CompletionStage<LockAnswer> ask(
      LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
    return requests.ask(key, command, nobodyWaits);
  }

  /** Has a lease do something. */
  public CompletionStage<LeaseAnswer> ask(long lease, LeaseCommand command) {
    return requests.ask(lease, command);
  }

  /**
   * Has a lock do something by a request of a session, whose client asks again itself.
   *
   * @param number of the request in its session
   * @param lowestOpen the lowest that the session still waits for
   */
  public void ask(
      LockKey key,
      LockCommand command,
      long number,
      long lowestOpen,
      CompletionStage<?> nobodyWaits,
      Consumer<LockAnswer> answered) {
    Resending resending = new Resending(node.nanos());
    var unused =
        insistence
            .<LockAnswer>ask(
                actor(key.value()),
                node.shardOf(key.value()),
                replyTo -> new LockMessage.Handle(command, number, lowestOpen, false, replyTo),
                patience(command).plus(answerWithin),
                resending,
                nobodyWaits)
            .thenAccept(
                answer -> {
                  if (resending.isOutcome(answer)) {
                    answered.accept(answer);
                  }
                });
  }

  private static Duration patience(LockCommand command) {
    return command instanceof LockCommand.Acquire acquire
        ? acquire.patience().toDuration()
        : Duration.ZERO;
  }

  /** A shard has come to another owner. */
  public void moved(int shard) {
    insistence.moved(shard);
  }

  /** Opens a door for an Akka service in this process. */
  public LockDoor door(ClientId client, LongSupplier random, Ear ear) {
    return new LockDoor(
        new Heard(ear),
        key -> {
          throw new AssertionError("nobody speaks with the actor");
        },
        agenda,
        client,
        node::nanos,
        random);
  }

  private <T> void failLater(CompletableFuture<T> answer, Duration within) {
    node.later(
        within.toNanos() / 1_000,
        "nobody has answered",
        () -> answer.completeExceptionally(new TimeoutException("nobody has answered")));
  }

  private final class OfNode implements Questions {
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

  /** The way of a door's locks, on which somebody listens. */
  private final class Heard implements LockWay {
    private final Ear ear;

    Heard(Ear ear) {
      this.ear = ear;
    }

    @Override
    public CompletionStage<LockAnswer> handle(
        LockKey key, LockCommand command, CompletionStage<?> nobodyWaits) {
      Consumer<LockAnswer> heard = ear.asks(key, command);
      return requests
          .ask(key, command, nobodyWaits)
          .thenApply(
              answer -> {
                heard.accept(answer);
                return answer;
              });
    }

    /* By another thread, as with Akka. */
    @Override
    public CompletionStage<Renewal.Answer> renew(Renewal renewal) {
      CompletableFuture<Renewal.Answer> answer = new CompletableFuture<>();
      Consumer<Renewal.Answer> heard = ear.renews(renewal);
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
