package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquire;
import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.release;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.id.Revision;
import io.holdfast.keeper.ShardDeadline;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a silent holder with its own ttl, while its shard moves from owner to owner. */
class SilentHolderTest {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final int TTL = 1_000;

  private final EntityWorld world = new EntityWorld();
  private final LockKey key = EntityWorld.key();
  private ActorRef<ShardMessage> lock = world.lock(key);
  private final FencingToken token = acquired(world.tell(lock, acquire("anna", TTL, 0)));

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_silent_grant_ends_although_its_shard_keeps_moving() {
    int moves = 0;
    while (!state().isFree() && moves < 5) {
      for (int i = 0; i < 7; i++) {
        pass(TTL / 10);
      }
      move();
      moves++;
    }
    assertEquals(2, moves);
  }

  @Test
  void a_renewal_between_two_moves_restores_the_full_ttl() {
    pass(600);
    assertEquals(Duration.ofMillis(600), aged());
    eventually("set back, then answered", WITHIN, this::renews, isAnswered -> isAnswered);
    assertEquals(Duration.ZERO, aged());
    move();
    assertEquals(0, pass(TTL - 1));
    assertEquals(1, pass(1));
  }

  @Test
  void a_repeated_request_renews_the_grant_once_it_is_answered() {
    pass(600);
    TestProbe<LockAnswer> unanswered = world.tell(lock, acquire("anna", TTL, 0));
    settle();
    assertEquals(0, pass(0));
    unanswered.expectNoMessage(Duration.ZERO);
    assertEquals(token, acquired(world.tell(lock, acquire("anna", TTL, 0))));
    assertEquals(Duration.ZERO, aged());
  }

  @Test
  void no_keepalive_is_answered_while_an_age_is_in_flight() {
    world.store.hold();
    int appends = world.store.appends();
    world.pass(Duration.ofMillis(500), lock);
    eventually("the write", WITHIN, world.store::appends, now -> now > appends);
    assertTrue(!renews());
    world.store.letGo();
    eventually("set back, then answered", WITHIN, this::renews, isAnswered -> isAnswered);
    assertEquals(Duration.ZERO, aged());
  }

  @Test
  void a_due_age_after_a_renewal_writes_nothing() {
    List<ShardDeadline> due = world.due(Duration.ofMillis(600));
    assertTrue(renews());
    int appends = world.store.appends();
    due.forEach(what -> lock.tell(what.message(world.store.epoch())));
    settle();
    assertEquals(appends, world.store.appends());
  }

  @Test
  void an_age_is_no_public_change() {
    Revision revision = world.store.version().revision();
    long sequenceNr = highest().orElseThrow();
    pass(600);
    assertEquals(Duration.ofMillis(600), aged());
    assertEquals(sequenceNr + 1, highest().orElseThrow());
    assertEquals(revision, world.store.version().revision());
  }

  private boolean renews() {
    pass(0);
    return world.keeper.renew(new Renewal.OfGrant(key, token)).isPresent();
  }

  private Duration aged() {
    return state().holders().get(0).aged();
  }

  private LockState state() {
    return world.state(key);
  }

  private OptionalLong highest() {
    return world.store.version().highestSequenceNr(GatedStore.SHARD, EntityIds.of(key));
  }

  /** Moves the shard to another owner, which knows only the journal. */
  private void move() {
    world.stop(lock);
    world.store.takeOver();
    world.keeper = world.freshKeeper();
    lock = world.lock(key);
    settle();
  }

  private int pass(long millis) {
    int ends = world.pass(Duration.ofMillis(millis), lock);
    if (!world.store.isHeld()) {
      settle();
    }
    return ends;
  }

  /** Waits until all messages to the actor are decided and written. */
  private void settle() {
    world.tell(lock, release("none", new FencingToken(999))).receiveMessage();
  }
}
