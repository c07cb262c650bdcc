package holdfast.coordination.akka;

import akka.actor.ActorRef;
import akka.actor.ActorSelection;
import akka.actor.ActorSystem;
import akka.cluster.sharding.ShardCoordinator$Internal$ShardStopped;
import holdfast.coordination.Owners;
import holdfast.coordination.state.EndedSession;
import java.util.HashMap;
import java.util.Map;

/**
 * Tells the coordinator of the shards that the shards of an ended session have stopped. Used by one
 * actor.
 *
 * <p>Akka moves a shard by asking its node to stop it, and gives nobody the shard meanwhile. If
 * that node ends before it has heard that the shard is to move, Akka asks it all the same, and
 * waits for its answer for a minute. The log has ended the node's ownership, so this gives the
 * answer, until the shard has an owner again. A coordinator that waits for nothing does nothing.
 */
final class StoppedShards {

  /** As long as Akka waits for the answer. */
  static final long TELL_FOR_MS = 60_000;

  private final ActorSelection moves;
  private final Owners owners;
  private final Map<Integer, Long> untilMs = new HashMap<>();

  StoppedShards(ActorSystem system, Owners owners) {
    moves = system.actorSelection(CoordinatorStart.PATH + "/*");
    this.owners = owners;
  }

  /** The log has ended a session, and with it its ownerships. */
  void ended(EndedSession session, long nowMs) {
    session.shards().forEach(shard -> untilMs.put(shard.value(), nowMs + TELL_FOR_MS));
  }

  void look(long nowMs) {
    untilMs
        .entrySet()
        .removeIf(each -> nowMs >= each.getValue() || owners.of(each.getKey()).isPresent());
    for (int shard : untilMs.keySet()) {
      moves.tell(
          new ShardCoordinator$Internal$ShardStopped(Integer.toString(shard)), ActorRef.noSender());
    }
  }
}
