package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.entity.EntityWorld.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import akka.actor.typed.ActorRef;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the keeper of an earlier ownership said is due may arrive under a later one, whose keeper
 * has given everything new time: it ends nothing.
 */
class EarlierKeeperTest {

  private static final int TTL = 1_000;

  private final EntityWorld world = new EntityWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void it_ends_no_grant() {
    LockKey key = EntityWorld.key();
    ActorRef<ShardMessage> lock = world.lock(key);
    acquired(world.tell(lock, acquire("anna", TTL, 0)));
    List<Timed> due = ends();
    lock.tell(due.get(0).message(world.store.epoch() - 1));
    assertInstanceOf(
        Outcome.Refused.class,
        world.tell(lock, acquire("bert", TTL, 0)).receiveMessage().outcome());
    lock.tell(due.get(0).message(world.store.epoch()));
    acquired(world.tell(lock, acquire("carl", TTL, 0)));
  }

  @Test
  void it_ends_no_lease() {
    ActorRef<ShardMessage> lease = world.lease(EntityWorld.leaseId());
    world.tell(lease, grant("g", TTL));
    List<Timed> due = ends();
    lease.tell(due.get(0).message(world.store.epoch() - 1));
    assertEquals(
        new LeaseOutcome.Ended(0, /* repeated= */ false),
        world.tell(lease, new LeaseCommand.Revoke(request("v"), 0)).outcome());
  }

  private List<Timed> ends() {
    List<Timed> ends =
        world.due(Duration.ofMillis(TTL)).stream().filter(EntityWorld::isEnd).toList();
    assertEquals(1, ends.size());
    return ends;
  }
}
