package io.holdfast.server;

import akka.Done;
import akka.actor.CoordinatedShutdown;
import akka.actor.typed.ActorSystem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The order in which a node stops: it takes no more requests, lets another lead the log, ends open
 * calls, hands its shards over, leaves the cluster, and closes its session. Its member of the log
 * stops last, since all of that is written there. Each step is bounded, without a majority too.
 */
final class ShutdownSequence {

  /** The steps of a shutdown, in this order. Akka hands shards over and leaves by itself. */
  interface Steps {

    /** Takes no more requests, and lets another lead the log. */
    CompletionStage<Done> stopServing();

    /** Takes no more connections. */
    CompletionStage<Done> unbind();

    /** Ends open calls. */
    CompletionStage<Done> drain();

    /** Says in the log that this node acts no more. It has handed over its shards, and has left. */
    CompletionStage<Done> closeSession();

    /** Stops the member of the log; completes when nothing of the node runs any more. */
    CompletionStage<Done> stopLog();
  }

  /** Akka's links to a node that cannot be reached may keep its system for minutes. */
  private static final Duration TERMINATE_WITHIN = Duration.ofSeconds(3);

  private ShutdownSequence() {}

  /** Has the system take these steps when it shuts down; completes when the last is done. */
  static CompletionStage<Done> prepare(ActorSystem<Void> system, Steps steps) {
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeServiceUnbind(), "stop-serving", steps::stopServing);
    shutdown.addTask(CoordinatedShutdown.PhaseServiceUnbind(), "grpc-unbind", steps::unbind);
    shutdown.addTask(CoordinatedShutdown.PhaseServiceRequestsDone(), "grpc-drain", steps::drain);
    shutdown.addTask(
        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
        "close-session",
        steps::closeSession);
    return whenOver(system)
        .thenCompose(done -> steps.stopLog().handle((ended, failure) -> Done.getInstance()));
  }

  /** Completes when the system begins to shut down, for whatever reason. */
  static CompletionStage<Done> whenBegun(ActorSystem<Void> system) {
    CompletableFuture<Done> begun = new CompletableFuture<>();
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseBeforeServiceUnbind(),
            "begin",
            () -> {
              begun.complete(Done.getInstance());
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return begun;
  }

  /**
   * Completes when nothing of the actor system needs to run any more: when it has terminated, or
   * has had the time for it since all else was done.
   */
  static CompletionStage<Done> whenOver(ActorSystem<Void> system) {
    CompletableFuture<Done> over = new CompletableFuture<>();
    system.getWhenTerminated().whenComplete((done, failure) -> over.complete(Done.getInstance()));
    CoordinatedShutdown.get(system)
        .addTask(
            CoordinatedShutdown.PhaseActorSystemTerminate(),
            "give-up",
            () -> {
              over.completeOnTimeout(
                  Done.getInstance(), TERMINATE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
              return CompletableFuture.completedFuture(Done.getInstance());
            });
    return over;
  }
}
