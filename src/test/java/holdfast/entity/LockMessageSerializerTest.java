package holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import akka.actor.ExtendedActorSystem;
import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.Serialization;
import akka.serialization.SerializationExtension;
import com.typesafe.config.ConfigFactory;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Patience;
import holdfast.lock.Refusal;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;
import java.io.NotSerializableException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever nodes say to each other about locks arrives as it was sent. */
class LockMessageSerializerTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ConfigFactory.parseString("akka.actor.provider = local")
              .withFallback(ConfigFactory.load()));
  private static final ClientId CLIENT = new ClientId("client");
  private static final RequestId REQUEST = new RequestId(CLIENT, "request");
  private static final HolderId HANDLE = new HolderId(ClientId.NAMELESS, "handle");
  private static final FencingToken TOKEN = new FencingToken(Long.MAX_VALUE);
  private static final Holder HOLDER = new Holder(HANDLE, REQUEST, TOKEN, new Ttl(100));
  private static final Waiter WAITER =
      new Waiter(HANDLE, new RequestId(CLIENT, "other"), new Ttl(86_400_000), new Patience(1));

  private final LockMessageSerializer serializer =
      new LockMessageSerializer((ExtendedActorSystem) Adapter.toClassic(KIT.system()));

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  static Stream<Object> messages() {
    ActorRef<Outcome> outcome = KIT.createTestProbe(Outcome.class).getRef();
    ActorRef<LockState> state = KIT.createTestProbe(LockState.class).getRef();
    Stream<Object> handles =
        Stream.of(
                new LockCommand.Acquire(REQUEST, HANDLE, new Ttl(100), Patience.NONE),
                new LockCommand.Acquire(REQUEST, HANDLE, new Ttl(100), new Patience(3_600_000)),
                new LockCommand.Release(TOKEN),
                new LockCommand.Leave(REQUEST, LeaveCause.TIMED_OUT),
                new LockCommand.Leave(REQUEST, LeaveCause.CANCELLED))
            .map(command -> new LockMessage.Handle(command, outcome));
    Stream<Object> refusals =
        Stream.of(
                new Refusal.Held(HOLDER),
                new Refusal.QueueFull(100_000),
                new Refusal.NotHolder(TOKEN),
                new Refusal.NotWaiting(REQUEST),
                new Refusal.RequestReused(REQUEST),
                new Refusal.LeftLine(REQUEST, LeaveCause.TIMED_OUT, 7, HOLDER),
                new Refusal.NoToken())
            .map(Outcome.Refused::new);
    Stream<Object> others =
        Stream.of(
            new LockMessage.Read(state),
            new Outcome.Acquired(HOLDER, Outcome.Manner.AT_ONCE),
            new Outcome.Acquired(HOLDER, Outcome.Manner.AFTER_WAITING),
            new Outcome.Acquired(HOLDER, Outcome.Manner.REPEATED),
            new Outcome.Waiting(REQUEST, 3),
            new Outcome.Released(TOKEN),
            new Outcome.Withdrawn(REQUEST),
            LockState.FREE,
            new LockState(List.of(HOLDER), List.of(WAITER)));
    return Stream.of(handles, refusals, others).flatMap(s -> s);
  }

  @ParameterizedTest
  @MethodSource("messages")
  void a_message_arrives_as_it_was_sent(Object message) throws NotSerializableException {
    byte[] bytes = serializer.toBinary(message);
    assertEquals(message, serializer.fromBinary(bytes, serializer.manifest(message)));
  }

  @Test
  void akka_is_told_to_use_it() throws NotSerializableException {
    Serialization akka = SerializationExtension.get(KIT.system());
    for (Object message : messages().toList()) {
      assertEquals(LockMessageSerializer.class, akka.serializerFor(message.getClass()).getClass());
    }
  }

  @Test
  void what_cannot_be_read_is_refused_as_such() {
    assertThrows(
        NotSerializableException.class,
        () -> serializer.fromBinary(new byte[] {1, 2, 3}, "lock.outcome.1"));
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(new byte[0], "lock.handle.1"));
    assertThrows(
        NotSerializableException.class, () -> serializer.fromBinary(new byte[0], "lock.handle.2"));
  }

  @Test
  void a_lock_s_own_timers_do_not_leave_their_node() {
    assertThrows(
        IllegalArgumentException.class,
        () -> serializer.toBinary(new LockMessage.TtlPassed(TOKEN, 1)));
  }
}
