package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.holdfast.coordination.Owners;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a node says to signs of life. Its keepers have learned from the journal and hear of nothing
 * that comes after: as those of a node that was found to be gone, and does not know.
 */
class KeeperDeskTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final LockKey GONE = new LockKey("gone");
  private static final FencingToken NONE = new FencingToken(999);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long id = EntityWorld.leaseId();
  private final ActorRef<ShardMessage> lock = world.lock(key);
  private final ActorRef<ShardMessage> lease = world.lease(id);
  private final TestProbe<KeeperMessage> asker = world.kit.createTestProbe(KeeperMessage.class);
  private final ActorRef<KeeperMessage> desk = desk();
  private long number;

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_grant_that_stands_by_the_log_is_not_told_to_be_dead() {
    FencingToken token = acquired(world.tell(lock, acquire("anna", 10_000, 0)));
    assertEquals(
        List.of(false), judged(new Renewal.OfGrant(key, token), new Renewal.OfGrant(GONE, NONE)));
    world.tell(lock, EntityWorld.release("r", token)).receiveMessage();
    assertEquals(List.of(false), judged(new Renewal.OfGrant(key, token)));
  }

  @Test
  void a_request_that_waits_or_holds_by_the_log_is_not_told_to_be_dead() {
    LockCommand.Acquire anna = acquire("anna", 10_000, 0);
    LockCommand.Acquire bert = acquire("bert", 10_000, 60_000);
    FencingToken token = acquired(world.tell(lock, anna));
    world.tell(lock, bert, /* tellsPlace= */ true).receiveMessage();
    Renewal ofAnna = new Renewal.OfRequest(key, anna.request().id());
    Renewal ofBert = new Renewal.OfRequest(key, bert.request().id());
    assertEquals(
        List.of(false), judged(ofAnna, ofBert, new Renewal.OfRequest(GONE, bert.request().id())));
    world.tell(lock, EntityWorld.release("r", token)).receiveMessage();
    assertEquals(List.of(false), judged(ofAnna, ofBert), "bert holds");
  }

  @Test
  void a_lease_that_lives_by_the_log_is_not_told_to_be_dead() {
    LeaseOutcome granted = world.tell(lease, grant("g", 10_000)).outcome();
    long incarnation = ((LeaseOutcome.Granted) granted).incarnation();
    Renewal any = new Renewal.OfLease(id, 0);
    Renewal meant = new Renewal.OfLease(id, incarnation);
    Renewal another = new Renewal.OfLease(id, incarnation + 1);
    assertEquals(List.of(false), judged(any, meant, another));
    world.tell(lease, new LeaseCommand.Revoke(EntityWorld.request("v"), 0));
    assertEquals(List.of(false, false), judged(any, meant));
  }

  @Test
  void many_that_are_dead_are_confirmed_together() {
    List<Renewal> dead = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      dead.add(new Renewal.OfGrant(GONE, new FencingToken(i)));
    }
    int before = world.store.confirmations();
    assertEquals(50, judged(dead.toArray(Renewal[]::new)).size());
    assertTrue(world.store.confirmations() - before <= 1, "each costs a round of the log");
  }

  @Test
  void one_of_this_node_that_has_ended_is_told_so_too() {
    TestProbe<Renewal.Answer> here = world.kit.createTestProbe(Renewal.Answer.class);
    desk.tell(new KeeperMessage.Ask(new Renewal.OfGrant(GONE, NONE), here.getRef()));
    assertEquals(Renewal.Answer.DEAD, here.receiveMessage());
  }

  /** Whether each that is answered lives. */
  private List<Boolean> judged(Renewal... renewals) {
    List<KeeperMessage.Item> items = new ArrayList<>();
    for (Renewal renewal : renewals) {
      items.add(new KeeperMessage.Item(++number, GatedStore.SHARD, renewal));
    }
    desk.tell(new KeeperMessage.Renewals(items, asker.getRef()));
    KeeperMessage.Renewed renewed = asker.expectMessageClass(KeeperMessage.Renewed.class);
    return renewed.answers().stream().map(answered -> answered.answer().alive()).toList();
  }

  private ActorRef<KeeperMessage> desk() {
    Keepers keepers =
        new Keepers(
            Agenda.of(world.kit.system()),
            System::nanoTime,
            GatedStore.SHARD + 1,
            shard -> shard == GatedStore.SHARD ? Optional.of(world.owned()) : Optional.empty(),
            world.store,
            (shard, what) -> {});
    Renewal some = new Renewal.OfGrant(GONE, NONE);
    eventually(
        "the keeper has learned",
        WITHIN,
        () -> keepers.of(GatedStore.SHARD).flatMap(keeper -> keeper.renew(some)),
        Optional::isPresent);
    String self = ActorRefResolver.get(world.kit.system()).toSerializationFormat(asker.getRef());
    String address = self.substring(0, self.indexOf("/system/"));
    Owners owners = shard -> Optional.of(new Owners.Owner(1, address, "", 1));
    return KeeperDesk.start(
        world.kit.system(), keepers, owners, renewal -> GatedStore.SHARD, System::nanoTime);
  }
}
