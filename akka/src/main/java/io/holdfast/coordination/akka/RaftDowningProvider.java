package io.holdfast.coordination.akka;

import akka.actor.ActorSystem;
import akka.actor.Props;
import akka.cluster.DowningProvider;
import java.util.concurrent.TimeUnit;
import scala.Option;
import scala.concurrent.duration.FiniteDuration;

/** Has the log decide who is down. No majority, no verdict: a minority downs only itself. */
public final class RaftDowningProvider extends DowningProvider {

  private final ActorSystem system;

  /** Made by Akka, by way of {@code downing-provider-class}. */
  public RaftDowningProvider(ActorSystem system) {
    this.system = system;
  }

  /** A shard has a lease: nothing needs to be waited for once a node is removed. */
  @Override
  public FiniteDuration downRemovalMargin() {
    return new FiniteDuration(0, TimeUnit.SECONDS);
  }

  @Override
  public Option<Props> downingActorProps() {
    return Option.apply(Downing.props(CoordinationAccess.of(system)));
  }
}
