package io.holdfast.coordination.hosting;

import akka.actor.AbstractActorWithTimers;
import akka.actor.ActorIdentity;
import akka.actor.ActorRef;
import akka.actor.ActorSelection;
import akka.actor.Identify;
import akka.actor.Props;
import akka.actor.Terminated;
import akka.cluster.Cluster;
import akka.cluster.ClusterEvent;
import akka.cluster.sharding.ShardCoordinator$Internal$StateInitialized$;
import akka.cluster.sharding.ShardRegion;
import java.time.Duration;
import java.util.Optional;

/**
 * The actor that makes a new coordinator of the shards begin at once.
 *
 * <p>When the node that coordinated the shards leaves or dies, the next one reads what is known of
 * the shards, and then stands still for 500 ms: regions that have ended may tell so before anybody
 * is sent to them. There is no setting for that. Who is sent to a region that has ended asks again
 * here anyway, and what a shard may do is decided by the log. So this actor sends the coordinator
 * of its own node the message that ends the wait, and a question that it answers only after that,
 * until the answer comes. A coordinator that does not wait does nothing with that message.
 */
final class CoordinatorStart extends AbstractActorWithTimers {

  /** The path of Akka's coordinator of the locks' shards. */
  static final String PATH = "/system/sharding/lockCoordinator/singleton/coordinator";

  /** The message that Akka sends to the coordinator after its wait. */
  static final Object ENDS_WAIT = ShardCoordinator$Internal$StateInitialized$.MODULE$;

  private static final Duration LOOK_EVERY = Duration.ofMillis(25);

  /** The number of looks: a coordinator begins soon after a node has gone, or never here. */
  private static final int LOOKS = 200;

  /**
   * The number of times that a coordinator is told: it may still be reading. Then its wait ends by
   * itself.
   */
  private static final int TELLS = 40;

  private enum Look {
    NOW
  }

  private final ActorSelection coordinator = getContext().actorSelection(PATH);
  private int looks;
  private int tells;
  private Optional<ActorRef> known = Optional.empty();

  static Props props() {
    return Props.create(CoordinatorStart.class, CoordinatorStart::new);
  }

  @Override
  public void preStart() {
    Cluster.get(getContext().getSystem())
        .subscribe(getSelf(), ClusterEvent.initialStateAsEvents(), ClusterEvent.MemberEvent.class);
  }

  @Override
  public void postStop() {
    Cluster.get(getContext().getSystem()).unsubscribe(getSelf());
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(ClusterEvent.MemberEvent.class, event -> begin())
        .matchEquals(Look.NOW, look -> look())
        .match(ActorIdentity.class, found -> found.getActorRef().ifPresent(this::found))
        .match(ShardRegion.CurrentRegions.class, answer -> works(getSender()))
        .match(Terminated.class, ended -> ended(ended.getActor()))
        .build();
  }

  /** Somebody has come or gone, and the coordinator may come here now. */
  private void begin() {
    looks = LOOKS;
    if (!getTimers().isTimerActive(Look.NOW)) {
      getTimers().startTimerWithFixedDelay(Look.NOW, Look.NOW, LOOK_EVERY);
    }
  }

  private void look() {
    known.ifPresent(this::tell);
    looks--;
    if (known.isEmpty()) {
      coordinator.tell(new Identify(PATH), getSelf());
    }
    if (looks <= 0) {
      getTimers().cancel(Look.NOW);
    }
  }

  private void found(ActorRef now) {
    if (known.isEmpty()) {
      known = Optional.of(now);
      tells = TELLS;
      getContext().watch(now);
    }
  }

  private void tell(ActorRef to) {
    if (tells > 0) {
      tells--;
      to.tell(ShardRegion.getCurrentRegionsInstance(), getSelf());
      to.tell(ENDS_WAIT, getSelf());
    }
  }

  private void works(ActorRef answering) {
    if (known.filter(answering::equals).isPresent()) {
      tells = 0;
    }
  }

  /** Its supervisor may start another. */
  private void ended(ActorRef ended) {
    if (known.filter(ended::equals).isPresent()) {
      known = Optional.empty();
      begin();
    }
  }
}
