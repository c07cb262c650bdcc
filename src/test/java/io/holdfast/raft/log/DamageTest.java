package io.holdfast.raft.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.fixtures.Seeds;
import io.holdfast.raft.core.Entry;
import io.holdfast.raft.core.EntryKind;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.MemberId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Damage to what was acknowledged is refused, or does no harm; it is never taken for an end. */
class DamageTest {

  private static final String ONE = SegmentHeader.name(1);
  private static final String TWO = SegmentHeader.name(2);
  private static final String THREE = SegmentHeader.name(3);

  @Test
  void one_changed_byte_is_refused_or_harmless() {
    int[] refused = {0, 0};
    Seeds.each(
        150,
        chance -> {
          LogWorld world = new LogWorld(chance);
          for (int i = 0; i < 40; i++) {
            world.step();
          }
          world.sync();
          for (int flip = 0; flip < 200; flip++) {
            FaultyDisk disk = world.disk.copy();
            List<String> names = names(disk);
            String name = names.get(chance.nextInt(names.size()));
            int used = Math.min(disk.bytes(name).length, 200_000);
            int at = chance.nextInt(used);
            int mask = chance.nextBoolean() ? 1 << chance.nextInt(8) : disk.bytes(name)[at];
            disk.bytes(name)[at] ^= (byte) (mask == 0 ? 0x40 : mask);
            refused[1]++;
            refused[0] += refusedOrWhole(world, disk, name + " at " + at) ? 1 : 0;
          }
        });
    assertTrue(refused[0] > refused[1] / 10, () -> Arrays.toString(refused));
  }

  private static boolean refusedOrWhole(LogWorld world, FaultyDisk disk, String what) {
    WriteAheadLog log;
    try {
      log = LogWorld.open(disk, 1);
    } catch (LogDamaged e) {
      return true;
    }
    LogModel expected = world.comparable(world.now());
    if (!expected.matches(log)) {
      throw new AssertionError("taken for whole: " + what + " of " + expected);
    }
    return false;
  }

  @Test
  void a_batch_confirmed_by_a_later_one_is_no_torn_write() {
    LogWorld world = threeSegments();
    List<Integer> batches = batches(world.disk, THREE);
    for (int i = 0; i < batches.size() - 1; i++) {
      FaultyDisk disk = world.disk.copy();
      Arrays.fill(disk.bytes(THREE), batches.get(i), batches.get(i) + Blocks.SIZE, (byte) 0);
      LogDamaged refusal = refusal(disk);
      assertEquals(THREE, refusal.file());
      assertEquals(batches.get(i).longValue(), refusal.offset());
    }
  }

  @Test
  void a_tail_that_nothing_confirms_is_cut_off() {
    LogWorld world = threeSegments();
    List<Integer> batches = batches(world.disk, THREE);
    int last = batches.get(batches.size() - 1);
    Arrays.fill(world.disk.bytes(THREE), last + 20, last + Blocks.SIZE, (byte) 0);
    long lastIndex = world.log.lastIndex();
    assertEquals(lastIndex - 1, LogWorld.open(world.disk, 1).lastIndex());
    Arrays.fill(world.disk.bytes(TWO), 8 << 9, 9 << 9, (byte) 0);
    assertEquals(TWO, refusal(world.disk).file());
  }

  @Test
  void a_missing_segment_is_refused() throws IOException {
    FaultyDisk beginning = threeSegments().disk;
    beginning.delete(ONE);
    assertTrue(refusal(beginning).toString().contains("but the newest whole snapshot ends at [0]"));
    for (String missing : List.of(TWO, THREE)) {
      FaultyDisk disk = threeSegments().disk;
      disk.delete(missing);
      assertTrue(refusal(disk).toString().contains("missing"), missing);
    }
  }

  @Test
  void segments_in_the_wrong_order_are_refused() throws IOException {
    FaultyDisk disk = threeSegments().disk;
    disk.rename(ONE, "kept");
    disk.rename(TWO, ONE);
    disk.rename("kept", TWO);
    assertTrue(refusal(disk).toString().contains("it is segment [2] by its header"));
  }

  @Test
  void a_segment_of_another_log_of_the_member_is_refused() throws IOException {
    FaultyDisk disk = threeSegments().disk;
    LogWorld other = new LogWorld(new SplittableRandom(5));
    for (int i = 1; i < 40; i++) {
      append(other, 4, i);
    }
    byte[] foreign = other.disk.bytes(TWO);
    System.arraycopy(foreign, 0, disk.bytes(TWO), 0, foreign.length);
    assertTrue(refusal(disk).toString().contains("does not continue"));
  }

  @Test
  void another_member_s_or_cluster_s_log_is_refused() {
    FaultyDisk disk = threeSegments().disk;
    LogIdentity anotherMember = new LogIdentity(0, 0, new MemberId(8));
    LogDamaged member = refusal(disk, anotherMember, true);
    assertTrue(member.toString().contains("it belongs to member [m7], this is [m8]"));
    LogIdentity group = new LogIdentity(0, 3, LogWorld.SELF);
    assertTrue(refusal(disk, group, true).toString().contains("belongs to group [0]"));

    FaultyDisk formed = new FaultyDisk(new SplittableRandom(1));
    LogIdentity cluster = new LogIdentity(5, 0, LogWorld.SELF);
    WriteAheadLog.open(formed, cluster, LogWorld.SMALL, () -> 1, true).close();
    LogIdentity other = new LogIdentity(6, 0, LogWorld.SELF);
    assertTrue(refusal(formed, other, true).toString().contains("cluster"));
  }

  @Test
  void an_unknown_format_is_refused() {
    FaultyDisk disk = threeSegments().disk;
    ByteBuffer.wrap(disk.bytes(ONE)).putInt(8, 2);
    assertTrue(refusal(disk).toString().contains("format version [2] is unknown, this is [1]"));
  }

  @Test
  void a_lost_log_is_not_taken_for_a_new_one() {
    FaultyDisk disk = new FaultyDisk(new SplittableRandom(1));
    LogDamaged refusal = refusal(disk, LogWorld.IDENTITY, false);
    assertTrue(refusal.toString().contains("the directory has no log any more"));
  }

  @Test
  void a_damaged_snapshot_is_fatal_if_the_log_begins_after_it() {
    LogWorld world = threeSegments();
    byte[] state = new byte[100_000];
    SnapshotFileWriter writer = world.log.snapshots().begin();
    writer.write(state, 0, state.length);
    var meta = writer.finish(LogWorld.meta(world.log.lastIndex(), 1));
    world.log.adopt(writer, meta);
    world.log.compactBefore(meta.index() + 1);
    assertEquals(1, names(world.disk).stream().filter(n -> n.endsWith(".segment")).count());
    String name = SnapshotFileFormat.name(meta);
    world.disk.bytes(name)[90_000] ^= 1;
    LogDamaged refusal = refusal(world.disk);
    assertEquals(name, refusal.file());
    assertEquals(SnapshotFileFormat.chunkAt(1), refusal.offset());
  }

  @Test
  void a_refusal_says_where_and_what_to_do_and_changes_nothing() {
    FaultyDisk disk = threeSegments().disk;
    disk.bytes(TWO)[600] ^= 1;
    int before = disk.operations;
    String message = String.valueOf(refusal(disk).getMessage());
    assertTrue(message.startsWith("[0000000000000002.segment] at offset [512]: "), message);
    assertTrue(message.contains("Keep a copy of the directory; then"), message);
    assertEquals(before, disk.operations);
  }

  private static LogWorld threeSegments() {
    LogWorld world = new LogWorld(new SplittableRandom(4));
    for (int i = 1; i <= 32; i++) {
      append(world, 1, i);
    }
    assertEquals(3, names(world.disk).size());
    return world;
  }

  private static void append(LogWorld world, long term, long index) {
    Entry entry = new Entry(term, index, EntryKind.PROPOSAL, new byte[] {1, 2, 3});
    HardState hardState = new HardState(term, null, index - 1);
    world.log.write(LogWorld.ready(hardState, List.of(entry), List.of(), null));
    world.log.sync();
  }

  private static List<Integer> batches(FaultyDisk disk, String name) {
    ByteBuffer bytes = ByteBuffer.wrap(disk.bytes(name));
    SegmentScan scan =
        new SegmentScan(SegmentHeader.decode(name, bytes), bytes, new BatchDecoder());
    List<Integer> found = new java.util.ArrayList<>();
    while (scan.next()) {
      found.add(scan.offset());
    }
    return found;
  }

  private static List<String> names(FaultyDisk disk) {
    return disk.list().stream().filter(name -> !name.endsWith(".tmp")).sorted().toList();
  }

  private static LogDamaged refusal(FaultyDisk disk) {
    return refusal(disk, LogWorld.IDENTITY, true);
  }

  private static LogDamaged refusal(FaultyDisk disk, LogIdentity identity, boolean mayBeNew) {
    return assertThrows(
        LogDamaged.class,
        () -> WriteAheadLog.open(disk, identity, LogWorld.SMALL, () -> 1, mayBeNew));
  }
}
