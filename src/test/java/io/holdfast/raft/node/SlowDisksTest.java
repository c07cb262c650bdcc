package io.holdfast.raft.node;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.raft.log.Disk;
import io.holdfast.raft.log.DiskFile;
import io.holdfast.raft.node.TestGroup.Place;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real members whose disks take longer for a sync than an election does. */
@Tag("slow")
class SlowDisksTest {

  @TempDir Path root;
  private final AtomicInteger syncMs = new AtomicInteger();
  private volatile boolean isFaulty;

  @Test
  void syncs_longer_than_an_election_timeout_depose_no_leader() {
    try (TestGroup group = new TestGroup(root, 3, Long.MAX_VALUE)) {
      group.disks(this::slow);
      group.places().forEach(group::start);
      group.put(group.leader(), "quick");
      syncMs.set(600);
      Place leader = group.leader();
      for (Place place : group.places()) { // the first slow sync of each is met on its own thread
        group.put(place, "first");
      }
      long term = group.leader().node().leadership().term();
      for (int i = 0; i < 8; i++) {
        group.put(leader, "slow " + i);
      }
      assertEquals(term, group.leader().node().leadership().term());
      for (Place place : group.places()) {
        eventually(
            "the member tells its slow disk",
            TestGroup.WITHIN,
            () -> TestGroup.get(place.node().progress()).troubles(),
            troubles -> troubles.stream().anyMatch(each -> each.contains("a sync of the disk")));
      }
      List<String> last = IntStream.range(0, 8).mapToObj(i -> "slow " + i).toList();
      for (Place place : group.places()) {
        eventually(
            "words at " + place.id,
            TestGroup.WITHIN,
            place.words::all,
            words -> words.containsAll(last));
      }
      syncMs.set(0);
    }
  }

  @Test
  void a_fault_in_a_sync_on_the_other_thread_ends_the_member() {
    try (TestGroup group = new TestGroup(root, 1, Long.MAX_VALUE)) {
      group.disks(this::slow);
      Place place = group.place(0);
      group.start(place);
      syncMs.set(60);
      group.put(group.leader(), "the next sync is done on the other thread");
      isFaulty = true;
      var unused = place.node().propose(new byte[] {'x'});
      eventually(
          "the member ends",
          TestGroup.WITHIN,
          () -> place.node().stopped().toCompletableFuture().isCompletedExceptionally(),
          ended -> ended);
    }
  }

  private Disk slow(Disk disk) {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(disk, arguments);
              return result instanceof DiskFile file ? slow(file) : result;
            });
  }

  private DiskFile slow(DiskFile file) {
    return (DiskFile)
        Proxy.newProxyInstance(
            DiskFile.class.getClassLoader(),
            new Class<?>[] {DiskFile.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("force")) {
                if (isFaulty && Thread.currentThread().getName().equals("raft-sync")) {
                  throw new IllegalStateException("a fault");
                }
                long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(syncMs.get());
                while (System.nanoTime() < untilNs) {
                  LockSupport.parkNanos(untilNs - System.nanoTime());
                }
              }
              return method.invoke(file, arguments);
            });
  }
}
