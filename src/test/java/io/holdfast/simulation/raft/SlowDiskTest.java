package io.holdfast.simulation.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Settings;
import io.holdfast.simulation.Scheduler;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Disks that are slow for good, under load, in virtual time. */
class SlowDiskTest {

  private static final int SEEDS = 20;

  private static final class Life {
    private final Scheduler scheduler = new Scheduler();
    private final RaftWorld world;
    private long lastId;

    Life(long seed) {
      world =
          new RaftWorld(
              scheduler,
              new SplittableRandom(seed),
              Settings.LOCAL,
              /* realLogs= */ false,
              /* gathers= */ false);
      List<MemberId> ids = LongStream.of(1, 2, 3).mapToObj(MemberId::new).toList();
      List<Member> rows = ids.stream().map(id -> Member.voter(id, "")).toList();
      ids.forEach(id -> world.found(id, new Formation(7, 48, 0, rows)));
      run(3_000);
    }

    /** Lets time pass, with a proposal every few milliseconds at whoever leads. */
    void load(long ms) {
      for (long left = ms; left > 0; left -= 5) {
        SimulatedMember leader = world.leader();
        long id = ++lastId;
        if (leader != null) {
          leader.input(
              core -> {
                world.proposed(leader, id);
                core.propose(id, ByteBuffer.allocate(8).putLong(id).array());
              });
        }
        run(5);
      }
    }

    private void run(long ms) {
      long until = scheduler.nowUs() + ms * 1_000;
      while (scheduler.step(until)) {
        // as far as it goes
      }
    }

    SimulatedMember leader() {
      return Objects.requireNonNull(world.leader(), "nobody leads");
    }

    long committed() {
      return world.committed().last();
    }
  }

  @Test
  void no_leader_steps_down_if_all_disks_are_slow() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Life life = new Life(seed);
      long term = life.world.term();
      life.world.slowDisks(600_000); // more than an election timeout
      life.load(60_000);
      assertEquals(term, life.world.term(), "seed " + seed);
      assertTrue(life.committed() > 5_000, "seed " + seed + ": " + life.committed());
    }
  }

  @Test
  void members_with_slow_disks_elect_a_leader() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Life life = new Life(seed);
      life.world.slowDisks(450_000);
      life.load(2_000);
      SimulatedMember first = life.leader();
      first.crash();
      life.load(10_000);
      assertNotEquals(first, life.leader(), "seed " + seed);
      long term = life.world.term();
      life.load(20_000);
      assertEquals(term, life.world.term(), "seed " + seed);
    }
  }

  @Test
  void a_leader_whose_disk_alone_is_slow_has_another_lead() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Life life = new Life(seed);
      SimulatedMember slow = life.leader();
      life.world.slowDisk(slow.id(), 200_000);
      life.load(20_000);
      assertNotEquals(slow, life.leader(), "seed " + seed);
      long term = life.world.term();
      life.load(20_000);
      assertEquals(term, life.world.term(), "seed " + seed);
    }
  }
}
