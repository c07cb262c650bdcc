package io.holdfast.coordination;

import static io.holdfast.coordination.CoordinatedNodes.WITHIN;
import static io.holdfast.coordination.CoordinatedNodes.get;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.coordination.CoordinatedNodes.Place;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions and shards of three nodes over a real log. */
@Tag("slow")
class NodeCoordinationTest {

  private static final ShardId SHARD = ShardId.of(3);

  @TempDir Path root;
  private CoordinatedNodes nodes;

  @BeforeEach
  void start() throws Exception {
    nodes = new CoordinatedNodes(root, 3, SessionTimes.DEFAULT);
    nodes.startAll();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  @Test
  void a_node_that_spreads_keys_in_another_way_gets_no_session() {
    Place other = nodes.follower();
    nodes.kill(other);
    nodes.start(other, CoordinatedNodes.SHARDS + 1);
    assertEquals(
        "the cluster was founded with [8] shards, not with [9]",
        get(other.node().session().ended()));
    assertFalse(other.node().session().mayAct());
    nodes.kill(other);
    nodes.start(other);
    eventually("may act", WITHIN, () -> other.node().session().mayAct(), acts -> acts);
  }

  @Test
  void a_node_whose_thread_has_failed_acts_no_more_and_says_so() {
    Place failing = nodes.follower();
    AssertionError error = new AssertionError("planted");
    var unused =
        failing
            .node()
            .listen(
                batch -> {
                  throw error;
                });
    assertEquals(error, get(failing.node().failed()));
    assertFalse(failing.node().session().mayAct());
    assertTrue(get(failing.node().session().ended()).startsWith("coordination has failed"));
  }

  @Test
  void a_shard_has_one_owner_at_a_time() {
    Place one = nodes.leader();
    Place other = nodes.follower();
    assertTrue(acquire(one, SHARD));
    Epoch first = one.node().shards().of(SHARD).orElseThrow().epoch();
    assertFalse(acquire(other, SHARD), "after it has waited for the release");
    assertTrue(get(one.node().shards().release(SHARD)));
    assertTrue(one.node().shards().of(SHARD).isEmpty());
    assertTrue(acquire(other, SHARD));
    assertTrue(other.node().shards().of(SHARD).orElseThrow().epoch().compareTo(first) > 0);
  }

  @Test
  void an_acquire_waits_for_the_owner_of_before_to_let_go() {
    Place one = nodes.leader();
    Place other = nodes.follower();
    assertTrue(acquire(one, SHARD));
    CompletionStage<Boolean> waiting = other.node().shards().acquire(SHARD, reason -> {});
    assertTrue(get(one.node().shards().release(SHARD)));
    assertTrue(get(waiting));
  }

  @Test
  void no_acquire_is_idempotent_and_the_older_ownership_ends() {
    Place one = nodes.follower();
    assertTrue(acquire(one, SHARD));
    OwnedShard first = one.node().shards().of(SHARD).orElseThrow();
    FencingToken token = first.nextToken().orElseThrow();
    assertTrue(acquire(one, SHARD));
    OwnedShard second = one.node().shards().of(SHARD).orElseThrow();
    assertNotEquals(first.epoch(), second.epoch());
    assertFalse(first.isSure());
    assertTrue(first.nextToken().isEmpty());
    assertTrue(second.isSure());
    assertTrue(second.nextToken().orElseThrow().value() > token.value());
  }

  @Test
  void acquires_and_releases_of_a_shard_run_in_order() {
    Place one = nodes.follower();
    CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
    for (int i = 0; i < 20; i++) {
      var unused = one.node().shards().acquire(SHARD, reason -> {});
      last = one.node().shards().release(SHARD).toCompletableFuture();
    }
    CompletionStage<Boolean> acquired = one.node().shards().acquire(SHARD, reason -> {});
    assertTrue(get(last));
    assertTrue(get(acquired));
    OwnedShard owned = one.node().shards().of(SHARD).orElseThrow();
    assertEquals(owned.epoch(), one.node().read(s -> s.fence(SHARD)));
  }

  @Test
  void tokens_rise_over_owners_and_do_not_end_with_a_block() {
    Place one = nodes.follower();
    assertTrue(acquire(one, SHARD));
    OwnedShard owned = one.node().shards().of(SHARD).orElseThrow();
    long before = 0;
    for (int i = 0; i < 200_000; i++) {
      long token =
          eventually("a token", WITHIN, owned::nextToken, java.util.Optional::isPresent)
              .orElseThrow()
              .value();
      assertTrue(token > before);
      before = token;
    }
    assertTrue(get(one.node().shards().release(SHARD)));
    Place other = nodes.leader();
    assertTrue(acquire(other, SHARD));
    OwnedShard next = other.node().shards().of(SHARD).orElseThrow();
    assertTrue(next.nextToken().orElseThrow().value() > before);
  }

  @Test
  void a_dead_process_loses_its_shards_early_and_in_doubt() {
    killedBeforeItsTtl(nodes.follower());
  }

  @Test
  void so_does_a_dead_leader() {
    killedBeforeItsTtl(nodes.leader());
  }

  private void killedBeforeItsTtl(Place dead) {
    assertTrue(acquire(dead, SHARD));
    Place heir = nodes.places().stream().filter(place -> place != dead).findFirst().orElseThrow();
    List<EndedSession.Cause> causes = new CopyOnWriteArrayList<>();
    heir.node()
        .listen(
            batch ->
                batch.forEach(
                    each -> each.verdict().ended().forEach(end -> causes.add(end.cause()))));
    nodes.kill(dead);
    assertTrue(acquire(heir, SHARD), "within the second that an acquire waits");
    assertEquals(List.of(EndedSession.Cause.EXPIRED_EARLY), causes);
    OwnedShard owned = heir.node().shards().of(SHARD).orElseThrow();
    assertEquals(Duration.ofMillis(SessionTimes.DEFAULT.ttlMs()), owned.doubt());
    eventually("certain", WITHIN, owned::doubt, Duration.ZERO::equals);
  }

  @Test
  void a_later_process_ends_the_session_of_the_one_before() {
    Place place = nodes.follower();
    assertTrue(acquire(place, SHARD));
    nodes.kill(place);
    nodes.start(place);
    eventually("may act", WITHIN, () -> place.node().session().mayAct(), acts -> acts);
    assertTrue(place.node().shards().of(SHARD).isEmpty());
    assertTrue(acquire(place, SHARD));
  }

  @Test
  void a_node_alone_may_not_act_for_longer_than_its_session() {
    List<Place> dead = nodes.places().subList(1, 3);
    Place alone = nodes.places().get(0);
    assertTrue(acquire(alone, SHARD));
    OwnedShard owned = alone.node().shards().of(SHARD).orElseThrow();
    dead.forEach(nodes::kill);
    eventually("may not act", WITHIN, () -> alone.node().session().mayAct(), acts -> !acts);
    assertFalse(owned.isSure());
    assertTrue(alone.node().shards().of(SHARD).isPresent(), "in doubt, not lost");
    dead.forEach(nodes::start);
    eventually("may act", WITHIN, () -> alone.node().session().mayAct(), acts -> acts);
    assertTrue(owned.isSure(), "nobody has ended the session meanwhile");
  }

  @Test
  void a_node_alone_confirms_no_read() {
    Place alone = nodes.leader();
    assertTrue(get(alone.node().barrier().caughtUp()));
    nodes.places().stream().filter(place -> place != alone).toList().forEach(nodes::kill);
    assertFalse(get(alone.node().barrier().caughtUp()));
  }

  @Test
  void all_come_back_after_all_were_killed() {
    nodes.places().forEach(place -> assertTrue(acquire(place, ShardId.of((int) place.id.value()))));
    nodes.places().forEach(nodes::kill);
    nodes.startAll();
    nodes
        .places()
        .forEach(
            place -> {
              ShardId shard = ShardId.of((int) place.id.value());
              eventually("acquired", WITHIN, () -> acquire(place, shard), done -> done);
            });
  }

  private static boolean acquire(Place place, ShardId shard) {
    return get(place.node().shards().acquire(shard, reason -> {}));
  }
}
