package io.holdfast.server;

import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import io.holdfast.grpc.call.ServingState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Answers management's readiness check: true if this node takes requests, and no shard with locks
 * waits for an owner. The second condition is for orchestration alone, so that it restarts no other
 * node meanwhile: clients of the other shards are still served.
 */
public final class Readiness implements Supplier<CompletionStage<Boolean>> {

  private final ServingState serving;

  public Readiness(ActorSystem system) {
    serving = ServingState.get(Adapter.toTyped(system));
  }

  @Override
  public CompletionStage<Boolean> get() {
    return CompletableFuture.completedFuture(serving.isOn() && serving.ownerlessShards() == 0);
  }
}
