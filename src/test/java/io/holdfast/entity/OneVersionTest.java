package io.holdfast.entity;

import static io.holdfast.entity.EntityWorld.acquired;
import static io.holdfast.entity.EntityWorld.grant;
import static org.junit.jupiter.api.Assertions.assertFalse;

import akka.actor.typed.ActorRef;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.wire.LeaseAnswer;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.ShardMessage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that one decision uses one version of the journal, while the log's thread applies entries.
 */
class OneVersionTest {

  /** The largest number of looks that is tested. */
  private static final int LOOKS = 20;

  private static final long LATE = 5;

  private final EntityWorld world = new EntityWorld();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void a_late_copy_is_not_granted_when_its_session_ends() {
    copyComesLate(session -> world.store.endLease(session.id().value(), session.incarnation()));
  }

  @Test
  void a_late_copy_is_not_granted_when_its_outcome_is_dropped() {
    copyComesLate(session -> world.store.answer(session, LATE + 7, LATE + 5));
  }

  private void copyComesLate(Consumer<LeaseLife> meanwhile) {
    for (int look = 0; look < LOOKS; look++) {
      LeaseLife session = session();
      LockKey key = EntityWorld.key();
      ActorRef<ShardMessage> lock = world.lock(key);
      LockCommand.Acquire acquire = acquire(session);
      FencingToken token = acquired(world.tell(lock, acquire));
      world.tell(lock, release(session, token)).receiveMessage();
      int number = look;
      world.store.beforeLook(number, () -> meanwhile.accept(session));
      var late = world.tell(lock, acquire);
      // Sent behind the late copy: if that is granted, this one is refused.
      acquired(world.tell(lock, EntityWorld.acquire("next", 10_000, 0)));
      world.store.beforeLook(-1, () -> {});
      world.stop(lock);
      late.getRef()
          .tell(
              new LockAnswer(
                  -1,
                  new Revision(0),
                  new Outcome.OrphansRemoved(),
                  true)); // the end of the answers
      Outcome told = late.receiveMessage().outcome();
      assertFalse(
          told instanceof Outcome.Acquired again && again.isHeld(),
          () -> "applied before look " + number + ": " + told);
    }
  }

  private LeaseLife session() {
    long id = EntityWorld.leaseId();
    LeaseAnswer answer = world.tell(world.lease(id), grant("session " + id, 60_000));
    return LeaseLife.of(new LeaseId(id), ((LeaseOutcome.Granted) answer.outcome()).incarnation());
  }

  private static LockCommand.Acquire acquire(LeaseLife session) {
    return new LockCommand.Acquire(
        numbered(session, LATE),
        HolderId.of(ClientId.NAMELESS, "holder"),
        new Lifetime.Own(new Ttl(10_000)),
        WaitTimeout.NONE,
        /* reenter= */ false,
        Metadata.NONE);
  }

  private static LockCommand.Release release(LeaseLife session, FencingToken token) {
    return new LockCommand.Release(numbered(session, LATE + 1), token, /* all= */ true);
  }

  private static RequestHeader numbered(LeaseLife session, long number) {
    return new RequestHeader(new RequestId.Numbered(ClientId.NAMELESS, session, number), 7);
  }
}
