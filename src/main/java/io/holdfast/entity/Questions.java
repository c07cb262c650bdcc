package io.holdfast.entity;

import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.RecipientRef;
import akka.actor.typed.javadsl.AskPattern;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Asks an actor once. The question and its answer may be lost on their way. */
interface Questions {

  /**
   * Completes with the first answer to the question, or to a copy of it.
   *
   * @param question is given where to send the answer
   * @param within fails with a {@code TimeoutException} then
   */
  <T> CompletionStage<T> ask(
      RecipientRef<ShardMessage> actor,
      Function<ActorRef<T>, ShardMessage> question,
      Duration within);

  /** By the threads and the clock of an actor system. */
  static Questions of(ActorSystem<?> system) {
    return new Questions() {
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
