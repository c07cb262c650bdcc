package io.holdfast.raft.node;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.HardState;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.RaftCore;
import io.holdfast.raft.core.Ready;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.log.FaultyDisk;
import io.holdfast.raft.log.LogIdentity;
import io.holdfast.raft.log.LogSettings;
import io.holdfast.raft.log.WriteAheadLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SnapshotTakingTest {

  private static final MemberId SELF = new MemberId(1);
  private static final long AFTER_BYTES = 2_000;

  private final SplittableRandom random = new SplittableRandom(1);
  private final FaultyDisk disk = new FaultyDisk(random);
  private final Words words = new Words();
  private final WriteAheadLog log =
      WriteAheadLog.open(
          disk,
          new LogIdentity(0, 0, SELF),
          new LogSettings(64 << 10, 16 << 10, 64 << 10),
          random::nextLong,
          true);
  private final RaftCore core =
      new RaftCore(SELF, Settings.LOCAL, 1, log, HardState.NEW, random.nextLong(), 0);
  private final AtomicBoolean woken = new AtomicBoolean();
  private final SnapshotTaking snapshots =
      new SnapshotTaking(AFTER_BYTES, core, log, words, () -> woken.set(true));
  private final Reactions reactions =
      new Reactions(
          core,
          new NodeHost(
              log,
              new Syncing(log, () -> {}, System::nanoTime, 1_000_000, 500),
              new NoLinks(),
              words,
              snapshots,
              new OpenCalls<>(),
              new OpenCalls<>()));
  private long nowMs;

  @Test
  void a_full_disk_has_a_snapshot_given_up_and_tried_again_later() {
    leads();
    disk.capacity(0);
    apply(3_000);
    take();
    assertNull(log.snapshot());
    assertTrue(snapshots.trouble().orElseThrow().contains("no space left"), snapshots::toString);
    assertTrue(
        disk.list().stream().noneMatch(name -> name.startsWith("own-")), disk.list()::toString);

    apply(100); // the log has room in its segment, and goes on
    disk.capacity(Long.MAX_VALUE);
    nowMs += 9_999;
    snapshots.takeIfDue(nowMs);
    assertTrue(
        disk.list().stream().noneMatch(name -> name.startsWith("own-")), disk.list()::toString);
    nowMs += 1;
    take();
    assertNotNull(log.snapshot());
    assertEquals(core.commit(), log.snapshot().index());
    assertTrue(snapshots.trouble().isEmpty());
  }

  @Test
  void a_snapshot_that_gets_no_name_is_given_up_and_the_log_goes_on() {
    leads();
    apply(3_000);
    snapshots.takeIfDue(nowMs);
    eventually("written", Duration.ofSeconds(20), woken::get, done -> done);
    disk.failAfter(0);
    snapshots.adoptWritten(nowMs);
    assertNull(log.snapshot());
    assertTrue(snapshots.trouble().isPresent());
    apply(100);
    nowMs += 10_000;
    take();
    assertNotNull(log.snapshot());
  }

  @Test
  void members_do_not_take_their_snapshots_at_one_entry() {
    List<Long> due =
        LongStream.of(random.nextLong(), random.nextLong(), random.nextLong())
            .map(id -> SnapshotTaking.dueAfter(64L << 20, id))
            .boxed()
            .toList();
    assertEquals(3, due.stream().distinct().count(), due::toString);
    assertTrue(
        due.stream().allMatch(bytes -> bytes > 48L << 20 && bytes <= 64L << 20), due::toString);
  }

  private void leads() {
    core.form(new Formation(7, 48, 0, List.of(Member.voter(SELF, "a"))));
    react();
    nowMs = core.nextTickMs();
    core.tick(nowMs);
    react();
    assertTrue(core.leadership().leads());
  }

  private void apply(int bytes) {
    core.propose(1, "x".repeat(bytes).getBytes(StandardCharsets.UTF_8));
    react();
  }

  private void take() {
    woken.set(false);
    snapshots.takeIfDue(nowMs);
    if (snapshots.trouble().isEmpty() || disk.list().stream().anyMatch(n -> n.startsWith("own-"))) {
      eventually("written", Duration.ofSeconds(20), woken::get, done -> done);
    }
    snapshots.adoptWritten(nowMs);
    react();
  }

  private void react() {
    for (Ready ready = core.ready(); ready != null; ready = core.ready()) {
      reactions.carryOut(ready);
    }
  }
}
