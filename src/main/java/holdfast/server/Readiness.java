package holdfast.server;

import akka.actor.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import holdfast.grpc.Serving;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Answers management's readiness check: whether this node takes requests. */
public final class Readiness implements Supplier<CompletionStage<Boolean>> {

  private final Serving serving;

  public Readiness(ActorSystem system) {
    serving = Serving.get(Adapter.toTyped(system));
  }

  @Override
  public CompletionStage<Boolean> get() {
    return CompletableFuture.completedFuture(serving.isOn());
  }
}
