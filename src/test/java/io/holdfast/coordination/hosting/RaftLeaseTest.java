package io.holdfast.coordination.hosting;

import static io.holdfast.coordination.akka.AgreedSystems.get;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.coordination.lease.javadsl.Lease;
import akka.coordination.lease.javadsl.LeaseProvider;
import io.holdfast.coordination.akka.AgreedSystems;
import io.holdfast.coordination.akka.AgreedSystems.Place;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sharding's lease of a shard, as Akka makes and uses it. */
@Tag("slow")
class RaftLeaseTest {

  private static final ShardId SHARD = ShardId.of(3);

  /** Host and port, as Akka gives it: a later process at the address has it too. */
  private static final String OWNER = "holdfast@127.0.0.1:7402";

  private final AgreedSystems systems = new AgreedSystems(2);
  private final Place one = systems.place(0);
  private final Place other = systems.place(1);
  private final List<String> lost = new CopyOnWriteArrayList<>();

  @BeforeEach
  void open() {
    one.open();
    other.open();
    eventually(
        "may act",
        AgreedSystems.WITHIN,
        () -> one.node.session().mayAct() && other.node.session().mayAct(),
        acts -> acts);
  }

  @AfterEach
  void stop() {
    systems.close();
  }

  private static Lease lease(Place place) {
    return LeaseProvider.get(place.system)
        .getLease("holdfast-shard-lock-" + SHARD.value(), "holdfast.lease", OWNER);
  }

  @Test
  void its_owner_is_the_session_and_not_the_name_that_akka_gives() {
    assertTrue(get(lease(one).acquire()));
    assertTrue(lease(one).checkLease());
    assertFalse(get(lease(other).acquire()));
    assertFalse(lease(other).checkLease());
    assertTrue(get(lease(one).release()));
    assertTrue(get(lease(other).acquire()));
  }

  @Test
  void each_acquire_is_a_new_epoch() {
    assertTrue(get(lease(one).acquire()));
    Epoch first = epoch();
    assertTrue(get(lease(one).acquire()));
    assertTrue(epoch().compareTo(first) > 0);
  }

  @Test
  void an_unawaited_release_does_not_end_the_acquire_behind_it() {
    assertTrue(get(lease(one).acquire()));
    CompletionStage<Boolean> released = lease(one).release();
    assertTrue(get(lease(one).acquire()));
    assertTrue(get(released));
    assertTrue(lease(one).checkLease());
  }

  @Test
  void a_session_in_doubt_pauses_and_only_the_log_ends_the_lease() {
    assertTrue(get(lease(one).acquire(why -> lost.add(String.valueOf(why)))));
    systems.log.majority(false);
    eventually("pauses", AgreedSystems.WITHIN, () -> lease(one).checkLease(), holds -> !holds);
    assertEquals(List.of(), lost);
    systems.log.majority(true);
    eventually("goes on", AgreedSystems.WITHIN, () -> lease(one).checkLease(), holds -> holds);
    assertEquals(List.of(), lost);
    other.expire(one);
    eventually("is told", AgreedSystems.WITHIN, () -> lost, told -> told.size() == 1);
    assertFalse(lease(one).checkLease());
  }

  @Test
  void a_lease_of_anything_else_is_refused() {
    Exception refused =
        assertThrows(
            Exception.class,
            () ->
                LeaseProvider.get(one.system)
                    .getLease("holdfast-singleton-x", "holdfast.lease", OWNER));
    assertTrue(
        String.valueOf(refused).contains("is not that of a shard of locks"), () -> "" + refused);
  }

  private Epoch epoch() {
    return one.node.shards().of(SHARD).orElseThrow().epoch();
  }
}
