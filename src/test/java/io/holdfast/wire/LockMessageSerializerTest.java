package io.holdfast.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ExtendedActorSystem;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import com.typesafe.config.ConfigFactory;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.internal.cluster.Renewals;
import io.holdfast.internal.journal.LeaseName;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import java.io.NotSerializableException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that messages between nodes arrive as they were sent. */
class LockMessageSerializerTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  private static final ClientId CLIENT = new ClientId("client");
  private static final LeaseLife LEASE = LeaseLife.of(new LeaseId(Long.MAX_VALUE), new Revision(9));
  private static final RequestId NAMED = new RequestId.Named(CLIENT, "request");
  private static final RequestId NUMBERED = new RequestId.Numbered(CLIENT, LEASE, 77);
  private static final RequestId ONCE = new RequestId.Once(ClientId.NAMELESS, -5);
  private static final RequestHeader REQUEST = new RequestHeader(NAMED, -1);
  private static final HolderId HANDLE = HolderId.of(ClientId.NAMELESS, "handle");
  private static final FencingToken TOKEN = new FencingToken(Long.MAX_VALUE);
  private static final Lifetime OWN = new Lifetime.Own(new Ttl(100));
  private static final Lifetime SHARED = new Lifetime.Shared(LEASE, new Ttl(600_000));
  private static final Holder HOLDER =
      new Holder(
          new HolderId(CLIENT, new LeaseId(5), "h"),
          REQUEST,
          TOKEN,
          SHARED,
          Holder.MAX_COUNT,
          Metadata.of(new byte[] {1, 0, -1}));

  private final LockMessageSerializer serializer =
      new LockMessageSerializer((ExtendedActorSystem) Adapter.toClassic(KIT.system()));

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  static Stream<Object> messages() {
    ActorRef<LockAnswer> lock = KIT.createTestProbe(LockAnswer.class).getRef();
    ActorRef<LeaseAnswer> lease = KIT.createTestProbe(LeaseAnswer.class).getRef();
    ActorRef<RenewalMessage> keeper = KIT.createTestProbe(RenewalMessage.class).getRef();
    Stream<Object> handles =
        Stream.of(
                new LockCommand.Acquire(
                    REQUEST, HANDLE, OWN, WaitTimeout.NONE, false, Metadata.NONE),
                new LockCommand.Acquire(
                    new RequestHeader(NUMBERED, 1),
                    HANDLE,
                    SHARED,
                    new WaitTimeout(3_600_000),
                    true,
                    Metadata.of(new byte[Metadata.MAX_BYTES])),
                new LockCommand.Release(new RequestHeader(ONCE, 3), TOKEN, true),
                new LockCommand.Cancel(NUMBERED),
                new LockCommand.Leave(NAMED, LeaveCause.CANCELLED),
                new LockCommand.Force(REQUEST, null, "why"),
                new LockCommand.Force(REQUEST, TOKEN, "why"))
            .map(command -> new LockMessage.Handle(command, 8, 7, true, lock));
    LockMessage.Handle another =
        new LockMessage.Handle(new LockCommand.Cancel(NUMBERED), 9, 0, false, lock);
    Stream<Object> outcomes =
        Stream.of(
                new Outcome.Acquired(TOKEN, OWN, 1, Outcome.Manner.AT_ONCE),
                new Outcome.Acquired(TOKEN, SHARED, 0, Outcome.Manner.REPEATED),
                new Outcome.Acquired(TOKEN, SHARED, 2, Outcome.Manner.AFTER_WAITING),
                new Outcome.Waiting(NAMED, 3),
                new Outcome.Released(TOKEN, 4, true),
                new Outcome.Withdrawn(ONCE),
                new Outcome.Cancelled(true, null),
                new Outcome.Cancelled(false, TOKEN),
                new Outcome.Forced(List.of(TOKEN), true),
                new Outcome.OrphansRemoved(),
                refused(new Refusal.Held(HOLDER)),
                refused(new Refusal.QueueFull(100_000)),
                refused(new Refusal.CountFull(Holder.MAX_COUNT)),
                refused(new Refusal.NotHolder(TOKEN, null)),
                refused(new Refusal.NotHolder(TOKEN, HOLDER)),
                refused(new Refusal.NotWaiting(NAMED)),
                refused(new Refusal.RequestReused(NUMBERED)),
                refused(new Refusal.RequestForgotten(NUMBERED)),
                refused(new Refusal.LeaseGone(LEASE)),
                refused(new Refusal.LeftQueue(NAMED, LeaveCause.TIMED_OUT, 7, HOLDER, false)),
                refused(new Refusal.LeftQueue(NAMED, LeaveCause.LEASE_ENDED, 0, null, true)),
                refused(new Refusal.NoToken()))
            .map(outcome -> new LockAnswer(3, new Revision(4), outcome, true));
    Stream<Object> others =
        Stream.of(
            new LeaseMessage.Handle(
                new LeaseCommand.Grant(REQUEST, LeaseTerms.of(1_000, CLIENT, true)), 5, lease),
            new LeaseMessage.Handle(new LeaseCommand.Revoke(REQUEST, new Revision(4)), 5, lease),
            new LeaseAnswer(
                1,
                new Revision(2),
                new LeaseOutcome.Granted(new Revision(3), new Ttl(1_000), true)),
            new LeaseAnswer(1, new Revision(2), new LeaseOutcome.Ended(3, true)),
            new LeaseAnswer(
                1, new Revision(2), new LeaseOutcome.Refused(LeaseOutcome.Reason.EXISTS)),
            new LeaseAnswer(
                1, new Revision(2), new LeaseOutcome.Refused(LeaseOutcome.Reason.NOT_FOUND)),
            new LeaseAnswer(
                1, new Revision(2), new LeaseOutcome.Refused(LeaseOutcome.Reason.REQUEST_REUSED)),
            new RenewalMessage.Renewals(
                List.of(
                    new RenewalMessage.Item(
                        1, ShardId.of(2), 0, new Renewal.OfGrant(new LockKey("k"), TOKEN)),
                    new RenewalMessage.Item(
                        2, ShardId.of(3), 250, new Renewal.OfRequest(new LockKey("k"), NAMED)),
                    new RenewalMessage.Item(
                        3,
                        ShardId.of(4),
                        9_999,
                        new Renewal.OfLease(new LeaseId(5), new Revision(0)))),
                keeper),
            new RenewalMessage.Renewed(
                List.of(
                    new RenewalMessage.Answered(1, Renewal.Answer.DEAD),
                    new RenewalMessage.Answered(
                        2, new Renewal.Answer(true, 1, 2, 3, new Revision(4))))),
            new LockMessage.CommandBatch(List.of(another, another)),
            ShardMessage.Lifecycle.WAKE);
    return Stream.of(handles, outcomes, others).flatMap(s -> s);
  }

  @Test
  void an_age_from_the_wire_has_bounds() {
    for (long age : new long[] {-1, 1L << 43, Long.MAX_VALUE}) {
      Renewals.Renewal wire =
          Renewals.Renewal.newBuilder()
              .setAgeMs(age)
              .setLease(LeaseName.newBuilder().setId(5))
              .build();
      long read = LeaseMessageProto.item(wire).ageMs();
      assertTrue(read >= 0 && read <= 60_000, () -> "age " + read);
    }
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void a_message_arrives_as_it_was_sent(Object message) throws NotSerializableException {
    byte[] bytes = serializer.toBinary(message);
    assertEquals(message, serializer.fromBinary(bytes, serializer.manifest(message)));
  }

  @Test
  void akka_uses_it_for_all_messages() throws NotSerializableException {
    Serialization akka = SerializationExtension.get(KIT.system());
    for (Object message : messages().toList()) {
      assertEquals(LockMessageSerializer.class, akka.serializerFor(message.getClass()).getClass());
    }
  }

  @Test
  void unreadable_bytes_are_refused() {
    assertThrows(
        NotSerializableException.class,
        () -> serializer.fromBinary(new byte[] {1, 2, 3}, "lock.answer.1"));
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(new byte[0], "lock.handle.1"));
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(new byte[0], "lock.handle.2"));
  }

  @Test
  void a_due_notice_does_not_leave_its_node() {
    LockMessage due = new LockMessage.Due(new LockCommand.Expire(TOKEN), new Epoch(1));
    assertThrows(IllegalArgumentException.class, () -> serializer.toBinary(due));
    LockMessage together = new LockMessage.CommandBatch(List.of(due));
    assertThrows(IllegalArgumentException.class, () -> serializer.toBinary(together));
  }
}
