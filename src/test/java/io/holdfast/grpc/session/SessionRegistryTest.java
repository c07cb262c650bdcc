package io.holdfast.grpc.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.TestProbe;
import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.LocalActors;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.state.LeaseEnd;
import io.holdfast.lease.rules.LeaseEvent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionRegistryTest {

  @RegisterExtension static final LocalActors actors = new LocalActors();

  @Test
  void a_session_end_with_an_unknown_cause_is_not_a_revocation() {
    SessionRegistry sessions = new SessionRegistry(1, Runnable::run);
    TestProbe<SessionMessage> stream = actors.kit().createTestProbe();
    sessions.join(new LeaseId(7), stream.ref());
    byte[] ofAnotherVersion = {8, 99};
    sessions.ended(
        new LeaseEnd(
            LeaseLife.of(new LeaseId(7), new Revision(1)), Bytes.of(ofAnotherVersion), List.of()));
    assertFalse(stream.expectMessageClass(SessionRegistry.SessionEnded.class).isRevoked());
    Bytes revoked = ChangeNote.of(LeaseEvent.Cause.REVOKED).toBytes();
    sessions.ended(new LeaseEnd(LeaseLife.of(new LeaseId(7), new Revision(1)), revoked, List.of()));
    assertTrue(stream.expectMessageClass(SessionRegistry.SessionEnded.class).isRevoked());
  }

  @Test
  void shards_that_move_together_are_one_notice_to_streams() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    SessionRegistry sessions = new SessionRegistry(2, tasks::add);
    TestProbe<SessionMessage> one = actors.kit().createTestProbe();
    TestProbe<SessionMessage> two = actors.kit().createTestProbe();
    sessions.join(new LeaseId(7), one.ref());
    sessions.join(new LeaseId(8), two.ref());
    sessions.moved(ShardId.of(3));
    sessions.moved(ShardId.of(5));
    assertEquals(1, tasks.size());
    tasks.remove().run();
    one.expectMessage(new SessionRegistry.ShardsMoved(Set.of(ShardId.of(3), ShardId.of(5))));
    two.expectMessage(new SessionRegistry.ShardsMoved(Set.of(ShardId.of(3), ShardId.of(5))));
    sessions.moved(ShardId.of(3));
    tasks.remove().run();
    one.expectMessage(new SessionRegistry.ShardsMoved(Set.of(ShardId.of(3))));
  }
}
