package io.holdfast.sharding;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.AskPattern;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Asks an actor once. The question and its answer may be lost. */
interface ActorAsk {

  /**
   * Completes with the first answer to the question, or to a copy of it.
   *
   * @param question creates the message, with the recipient of the answer
   * @param within the time after which it fails with a {@code TimeoutException}
   */
  <T> CompletionStage<T> ask(
      RecipientRef<ShardMessage> actor,
      Function<ActorRef<T>, ShardMessage> question,
      Duration within);

  /** Returns an ask with the threads and the clock of an actor system. */
  static ActorAsk of(ActorSystem<?> system) {
    return new ActorAsk() {
      @Override
      public <T> CompletionStage<T> ask(
          RecipientRef<ShardMessage> actor,
          Function<ActorRef<T>, ShardMessage> question,
          Duration within) {
        return AskPattern.ask(actor, question::apply, within, system.scheduler());
      }
    };
  }
}
