package io.holdfast.sharding;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorRefResolver;
import io.holdfast.coordination.member.Owners;
import io.holdfast.entity.EntityWorld;
import io.holdfast.entity.GatedStore;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.keeper.DeadlineKeepers;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.RenewalMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the answers of a node to renewals. Its keepers have loaded the journal and hear of no later
 * change, like those of a node whose session has ended without its notice.
 */
class RenewalExchangeTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final LockKey GONE = new LockKey("gone");
  private static final FencingToken NONE = new FencingToken(999);

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private final long id = EntityWorld.leaseId();
  private final ActorRef<ShardMessage> lock = world.lock(key);
  private final ActorRef<ShardMessage> lease = world.lease(id);
  private final TestProbe<RenewalMessage> asker = world.kit.createTestProbe(RenewalMessage.class);
  private final ActorRef<RenewalMessage> exchange = exchange();
  private long number;

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_grant_in_the_log_is_not_reported_dead() {
    FencingToken token = acquired(world.tell(lock, acquire("anna", 10_000, 0)));
    assertEquals(
        List.of(false), judged(new Renewal.OfGrant(key, token), new Renewal.OfGrant(GONE, NONE)));
    world.tell(lock, EntityWorld.release("r", token)).receiveMessage();
    assertEquals(List.of(false), judged(new Renewal.OfGrant(key, token)));
  }

  @Test
  void a_request_in_the_log_is_not_reported_dead() {
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
  void a_lease_in_the_log_is_not_reported_dead() {
    LeaseOutcome granted = world.tell(lease, grant("g", 10_000)).outcome();
    Revision incarnation = ((LeaseOutcome.Granted) granted).incarnation();
    Renewal any = new Renewal.OfLease(new LeaseId(id), new Revision(0));
    Renewal meant = new Renewal.OfLease(new LeaseId(id), incarnation);
    Renewal another = new Renewal.OfLease(new LeaseId(id), incarnation.next());
    assertEquals(List.of(false), judged(any, meant, another));
    world.tell(lease, new LeaseCommand.Revoke(EntityWorld.request("v"), new Revision(0)));
    assertEquals(List.of(false, false), judged(any, meant));
  }

  @Test
  void many_dead_targets_are_confirmed_by_one_round() {
    List<Renewal> dead = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      dead.add(new Renewal.OfGrant(GONE, new FencingToken(i)));
    }
    int before = world.store.confirmations();
    assertEquals(50, judged(dead.toArray(Renewal[]::new)).size());
    assertTrue(world.store.confirmations() - before <= 1, "each costs a round of the log");
  }

  @Test
  void an_ended_grant_of_this_node_is_reported_dead() {
    TestProbe<Renewal.Answer> here = world.kit.createTestProbe(Renewal.Answer.class);
    exchange.tell(new RenewalMessage.Ask(new Renewal.OfGrant(GONE, NONE), here.getRef()));
    assertEquals(Renewal.Answer.DEAD, here.receiveMessage());
  }

  /** Returns the answers, by number: true if alive. */
  private List<Boolean> judged(Renewal... renewals) {
    List<RenewalMessage.Item> items = new ArrayList<>();
    for (Renewal renewal : renewals) {
      items.add(new RenewalMessage.Item(++number, GatedStore.SHARD, 0, renewal));
    }
    exchange.tell(new RenewalMessage.Renewals(items, asker.getRef()));
    RenewalMessage.Renewed renewed = asker.expectMessageClass(RenewalMessage.Renewed.class);
    return renewed.answers().stream().map(answered -> answered.answer().alive()).toList();
  }

  private ActorRef<RenewalMessage> exchange() {
    DeadlineKeepers keepers =
        new DeadlineKeepers(
            TaskScheduler.of(world.kit.system()),
            System::nanoTime,
            GatedStore.SHARD.value() + 1,
            shard -> shard.equals(GatedStore.SHARD) ? Optional.of(world.owned()) : Optional.empty(),
            world.store,
            (shard, what) -> {});
    Renewal some = new Renewal.OfGrant(GONE, NONE);
    eventually(
        "the keeper has loaded the journal",
        WITHIN,
        () -> keepers.renew(GatedStore.SHARD, some, Duration.ZERO),
        Optional::isPresent);
    String self = ActorRefResolver.get(world.kit.system()).toSerializationFormat(asker.getRef());
    String address = self.substring(0, self.indexOf("/system/"));
    Owners owners = shard -> Optional.of(new Owners.Owner(1, address, "", new Epoch(1)));
    return RenewalExchange.start(
        world.kit.system(), keepers, owners, renewal -> GatedStore.SHARD, System::nanoTime);
  }
}
