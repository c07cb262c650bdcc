package io.holdfast.raft.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.SnapshotMeta;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** After any crash the log holds what was synced, and of the rest a beginning. */
@Tag("slow")
class CrashTest {

  private static final int SEEDS = 1000;

  @Test
  void a_power_cut_keeps_what_was_synced_and_a_part_of_the_rest() {
    Seeds.each(
        SEEDS,
        chance -> {
          LogWorld world = new LogWorld(chance);
          for (int life = 0; life < 4; life++) {
            world.disk.cutAtOperation = world.disk.operations + 1 + chance.nextInt(60);
            crash(world);
            world.disk.powerCycle();
            while (chance.nextInt(3) == 0) { // the power goes again while the log is repaired
              world.disk.cutAtOperation = 1 + chance.nextInt(8);
              try {
                world.reopen();
              } catch (FaultyDisk.PowerCut e) {
                // as it was meant
              }
              world.disk.powerCycle();
            }
            world.reopen();
          }
        });
  }

  @Test
  void installed_snapshot_never_outlives_the_hard_state_before_it() {
    Seeds.each(
        SEEDS,
        chance -> {
          LogWorld world = new LogWorld(chance);
          SnapshotMeta snapshot = LogWorld.meta(5, 3).written(0, 0);
          HardState before = new HardState(3, null, 0);
          world.disk.cutAtOperation = world.disk.operations + 1 + chance.nextInt(20);
          assertThrows(
              FaultyDisk.PowerCut.class,
              () -> {
                if (chance.nextBoolean()) {
                  world.log.write(LogWorld.ready(before, List.of(), List.of(), null));
                }
                world.log.write(
                    LogWorld.ready(
                        before,
                        List.of(),
                        List.of(new Ready.SnapshotWrite(snapshot, 0, Bytes.of(new byte[0]))),
                        new Ready.Install(snapshot, false)));
                while (true) {
                  world.log.prepare();
                  world.log.write(LogWorld.ready(before, List.of(), List.of(), null));
                }
              });
          world.disk.powerCycle();
          WriteAheadLog log = LogWorld.open(world.disk, chance.nextLong());
          assertTrue(log.snapshot() == null || log.hardState().term() >= 3);
        });
  }

  @Test
  void the_next_snapshot_may_come_with_the_end_of_the_last() {
    Seeds.each(
        1,
        chance -> {
          LogWorld world = new LogWorld(chance);
          SnapshotMeta first = LogWorld.meta(5, 3).written(0, 0);
          SnapshotMeta second = LogWorld.meta(9, 3).written(1, 1);
          world.log.write(
              LogWorld.ready(
                  new HardState(3, null, 0),
                  List.of(),
                  List.of(
                      new Ready.SnapshotWrite(first, 0, Bytes.of(new byte[0])),
                      new Ready.SnapshotWrite(second, 0, Bytes.of(new byte[1]))),
                  new Ready.Install(first, false)));
          assertEquals(first, world.log.snapshot());
          assertEquals(1, world.log.snapshots().received(second));
        });
  }

  @Test
  void a_log_that_was_opened_is_durable() {
    Seeds.each(
        SEEDS,
        chance -> {
          LogWorld world = new LogWorld(chance);
          for (int life = 0; life < 3; life++) {
            world.disk.cutAtOperation = world.disk.operations + 1 + chance.nextInt(40);
            crash(world);
            world.disk.restart(); // the process ends, the machine goes on
            world.reopen();
            world.disk.powerCycle();
            world.reopen();
          }
        });
  }

  @Test
  void the_first_disk_failure_ends_the_log_and_loses_nothing_synced() {
    Seeds.each(
        SEEDS,
        chance -> {
          LogWorld world = new LogWorld(chance);
          world.disk.failAtOperation = world.disk.operations + 1 + chance.nextInt(40);
          LogFailure first = assertThrows(DiskFailed.class, () -> steps(world, 500));
          for (int again = 0; again < 3; again++) {
            assertSame(first, assertThrows(LogFailure.class, world.log::sync));
            assertSame(first, assertThrows(LogFailure.class, world.log::hardState));
            assertSame(first, assertThrows(LogFailure.class, world.log::prepare));
          }
          world.disk.powerCycle();
          world.reopen();
        });
  }

  @Test
  void full_disk_ends_the_log_and_loses_nothing_synced() {
    Seeds.each(
        300,
        chance -> {
          LogWorld world = new LogWorld(chance);
          world.disk.capacity = 20_000L + chance.nextInt(100_000);
          LogFailure first = assertThrows(DiskFailed.class, () -> steps(world, 5000));
          assertSame(first, assertThrows(LogFailure.class, world.log::sync));
          world.disk.powerCycle();
          world.disk.capacity = Long.MAX_VALUE;
          world.reopen();
        });
  }

  @Test
  void closed_and_opened_again_the_log_is_the_same() {
    Seeds.each(
        500,
        chance -> {
          LogWorld world = new LogWorld(chance);
          steps(world, 60);
          world.sync();
          world.comparable(world.now()).verify(world.log);
          world.log.close();
          world.reopen();
        });
  }

  @Test
  void a_sync_is_one_force_and_none_if_nothing_was_written() {
    LogWorld world = new LogWorld(new java.util.SplittableRandom(1));
    List<Integer> forces = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      world.append();
      world.append();
      int before = world.disk.forces;
      world.log.sync();
      world.log.sync();
      forces.add(world.disk.forces - before);
    }
    assertEquals(List.of(1, 1, 1), forces);
  }

  private static void steps(LogWorld world, int count) {
    for (int i = 0; i < count; i++) {
      world.step();
    }
  }

  private static void crash(LogWorld world) {
    assertThrows(FaultyDisk.PowerCut.class, () -> steps(world, 100_000));
  }
}
