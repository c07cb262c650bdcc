package io.holdfast.entity;

import static io.holdfast.entity.FullQueues.HOLDER;
import static io.holdfast.entity.FullQueues.LONGEST;
import static io.holdfast.entity.FullQueues.MAX_ENTRY_BYTES;
import static io.holdfast.entity.FullQueues.OWN;
import static io.holdfast.entity.FullQueues.fill;
import static io.holdfast.entity.FullQueues.removeAll;
import static io.holdfast.entity.FullQueues.wordy;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import io.holdfast.fixtures.Eventually;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.ThreeMembers;
import io.holdfast.journal.state.Bounds;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.raft.core.Settings;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the largest decision on its way through an actor, and through a real log. */
@Tag("slow")
class LargestWriteTest {

  @Test
  void the_largest_decision_passes_a_real_log_from_a_follower() {
    Settings settings = Settings.LOCAL.withMaxProposalBytes(MAX_ENTRY_BYTES);
    try (ThreeMembers members = new ThreeMembers(Bounds.DEFAULT, settings)) {
      QueuedLock lock = new QueuedLock(LONGEST, members.store(members.follower()));
      LeaseLife lease = lock.lease(Long.MAX_VALUE);
      lock.tell(List.of(HOLDER));
      int length = fill(lock, number -> wordy(number, lease));
      assertEquals(LONGEST, length);
      lock.end(lease);
      removeAll(lock, length);
      for (int member = 0; member < 3; member++) {
        int each = member;
        Eventually.eventually(
            "the lock on member " + member,
            Duration.ofSeconds(20),
            () ->
                LockHistoryReader.read(
                    members.store(each).version(), QueuedLock.SHARD, QueuedLock.ID),
            lock.state()::equals);
      }
      lock.next(OWN); // and the shard goes on
    }
  }

  @Test
  void an_actor_makes_the_largest_decision_in_one_write() {
    EntityWorld world = new EntityWorld();
    try {
      LockKey key = EntityWorld.key();
      long id = EntityWorld.leaseId();
      ActorRef<ShardMessage> lock = world.lock(key, UsualSettings.locks(), LONGEST);
      LeaseAnswer granted = world.tell(world.lease(id), EntityWorld.grant("g", 600_000));
      LeaseLife lease = LeaseLife.of(new LeaseId(id), granted.revision());
      TestProbe<LockAnswer> asker = world.tell(lock, HOLDER);
      EntityWorld.acquired(asker);
      for (int number = 1; number <= LONGEST; number++) {
        LockCommand request = wordy(number, lease);
        lock.tell(new LockMessage.Handle(request, number, 0, false, asker.getRef()));
      }
      Eventually.eventually(
          "the queue",
          Duration.ofSeconds(30),
          () -> world.state(key).waiters().size(),
          length -> length == LONGEST);
      world.store.endLease(id, lease.incarnation());
      int writes = world.store.appends();
      lock.tell(new LockMessage.Due(new LockCommand.RemoveOrphans(), world.store.epoch()));
      Set<Long> told = new HashSet<>();
      asker
          .receiveSeveralMessages(LONGEST, Duration.ofSeconds(30))
          .forEach(answer -> told.add(answer.number()));
      assertEquals(LONGEST, told.size());
      assertEquals(writes + 1, world.store.appends());
      assertTrue(world.state(key).waiters().isEmpty());
      world.tell(lock, wordy(1, lease)).receiveMessage(); // and the actor goes on
      assertEquals(0, world.failures.get());
    } finally {
      world.close();
    }
  }
}
