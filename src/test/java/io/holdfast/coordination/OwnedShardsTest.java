package io.holdfast.coordination;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.NodeInHand.Proposal;
import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationCommand.AcquireShard;
import io.holdfast.coordination.state.CoordinationCommand.ReleaseShard;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Acquires and releases of a node, whenever the log decides them. */
class OwnedShardsTest {

  private static final ShardId SHARD = ShardId.of(2);

  private final NodeInHand hand = new NodeInHand().opened();
  private final List<String> lost = new ArrayList<>();

  @Test
  void an_acquire_waits_for_the_release_before_it() {
    owns();
    var unused = hand.node.shards().release(SHARD);
    var unusedToo = hand.node.shards().acquire(SHARD, lost::add);
    hand.pass(0);
    assertEquals(1, hand.open(ReleaseShard.class).size());
    assertEquals(0, hand.open(AcquireShard.class).size());
    hand.decide(hand.open(ReleaseShard.class).get(0));
    assertEquals(1, hand.open(AcquireShard.class).size());
    hand.decideAll();
    assertTrue(hand.node.shards().of(SHARD).isPresent());
  }

  @Test
  void a_release_waits_for_the_acquire_before_it() {
    var unused = hand.node.shards().acquire(SHARD, lost::add);
    CompletionStage<Boolean> freed = hand.node.shards().release(SHARD);
    hand.pass(0);
    assertFalse(isDone(freed));
    hand.decideAll();
    assertTrue(isDone(freed));
    assertTrue(isFree());
    assertTrue(hand.node.shards().of(SHARD).isEmpty());
  }

  @Test
  void a_shard_that_came_late_is_given_back() {
    Proposal late = asksInVain();
    hand.decide(late);
    hand.decideAll();
    assertTrue(isFree());
    assertTrue(hand.node.shards().of(SHARD).isEmpty());
  }

  @Test
  void an_ownership_that_a_late_acquire_fenced_is_over() {
    OwnedShard before = owns();
    Proposal late = asksInVain();
    assertTrue(before.isSure());
    hand.decide(late);
    hand.decideAll();
    assertFalse(before.isSure() && isFree(), "sure of a shard that anybody may take");
    assertTrue(hand.node.shards().of(SHARD).isEmpty());
    assertEquals(1, lost.size());
  }

  @Test
  void a_late_acquire_that_meets_a_release_is_given_back() {
    var unused = owns();
    Proposal late = asksInVain();
    CompletionStage<Boolean> freed = hand.node.shards().release(SHARD);
    hand.pass(0);
    hand.decide(late);
    hand.decideAll();
    assertTrue(isDone(freed));
    assertTrue(isFree(), "nobody here wants it");
  }

  @Test
  void a_first_attempt_that_is_decided_alone_is_given_back() {
    CompletionStage<Boolean> asked = hand.node.shards().acquire(SHARD, lost::add);
    hand.pass(0);
    Proposal first = hand.lose(hand.open(AcquireShard.class).get(0));
    hand.pass(20);
    hand.decide(first);
    for (int i = 0; i < 100 && !isDone(asked); i++) {
      hand.open(AcquireShard.class).forEach(hand::lose);
      hand.renewFor(25);
    }
    hand.pass(0);
    hand.decideAll();
    assertTrue(isDone(asked));
    assertTrue(isFree(), "nobody here wants it");
  }

  @Test
  void a_shard_that_came_with_a_snapshot_is_given_back() throws Exception {
    Proposal late = asksInVain();
    hand.jumpBehind(late);
    hand.decideAll();
    assertTrue(isFree());
  }

  @Test
  void an_unwanted_shard_is_given_back_by_one_release_at_a_time() {
    hand.decide(asksInVain());
    for (int i = 0; i < 3; i++) {
      var unused = asksInVain();
    }
    assertEquals(1, hand.open(ReleaseShard.class).size());
    var unused = hand.lose(hand.open(ReleaseShard.class).get(0));
    hand.renewFor(25);
    assertEquals(1, hand.open(ReleaseShard.class).size(), "it is proposed again");
    hand.decideAll();
    assertTrue(isFree());
  }

  @Test
  void an_ownership_is_over_with_the_session() {
    OwnedShard owned = owns();
    hand.decide(new CoordinationCommand.CloseSession(hand.sessionOf(NodeInHand.SELF)));
    assertTrue(hand.node.shards().of(SHARD).isEmpty());
    assertFalse(owned.isSure());
    assertTrue(owned.nextToken().isEmpty());
    assertEquals(List.of("CLOSED"), lost);
  }

  private OwnedShard owns() {
    var unused = hand.node.shards().acquire(SHARD, lost::add);
    hand.pass(0);
    hand.decideAll();
    return hand.node.shards().of(SHARD).orElseThrow();
  }

  /** Asks until it gives up; one of what it proposed may still be decided. */
  private Proposal asksInVain() {
    CompletionStage<Boolean> asked = hand.node.shards().acquire(SHARD, lost::add);
    hand.pass(0);
    Proposal last = null;
    for (int i = 0; i < 100 && !isDone(asked); i++) {
      for (Proposal each : hand.open(AcquireShard.class)) {
        last = hand.lose(each);
      }
      hand.renewFor(25);
    }
    assertTrue(isDone(asked) && last != null, () -> "still open: " + hand.proposals);
    return java.util.Objects.requireNonNull(last);
  }

  private boolean isFree() {
    return hand.machine.read(state -> state.owner(SHARD)).isEmpty();
  }

  private static boolean isDone(CompletionStage<Boolean> stage) {
    CompletableFuture<Boolean> future = stage.toCompletableFuture();
    return future.isDone();
  }
}
