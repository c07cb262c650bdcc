package io.holdfast.grpc.session;

import static io.holdfast.fixtures.Eventually.eventually;

import akka.NotUsed;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.Behaviors;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import io.holdfast.fixtures.LocalActors;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import io.holdfast.wire.CallerMessage;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The backpressure of a session stream, from its actor and from its client. */
class SessionFlowTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final TestProbe<CallerMessage> actor = actors.kit().createTestProbe();
  private final AtomicInteger decoded = new AtomicInteger();
  private final CompletableFuture<SessionResponse> taken = new CompletableFuture<>();
  private ActorRef<SessionFlow.Out> out;

  @BeforeEach
  void begin() {
    Behavior<CallerMessage> tells =
        Behaviors.receiveMessage(
            message -> {
              actor.ref().tell(message);
              return Behaviors.same();
            });
    Source<SessionRequest, NotUsed> frames =
        Source.repeat(SessionRequest.getDefaultInstance())
            .map(
                frame -> {
                  decoded.incrementAndGet();
                  return frame;
                });
    var unused =
        SessionFlow.join(actors.system(), frames, () -> tells)
            .mapAsync(1, frame -> taken)
            .runWith(Sink.ignore(), actors.system());
    out = actor.expectMessageClass(SessionFlow.Event.OutputReady.class).out();
    actor
        .expectMessageClass(SessionFlow.Event.InputReady.class)
        .taken()
        .tell(SessionFlow.Taken.INSTANCE);
  }

  @Test
  void a_busy_actor_lets_only_one_more_frame_be_decoded() {
    SessionFlow.Event.FrameReceived first =
        actor.expectMessageClass(SessionFlow.Event.FrameReceived.class);
    eventually("another is decoded", WITHIN, decoded::get, many -> many == 2);
    first.taken().tell(SessionFlow.Taken.INSTANCE);
    actor.expectMessageClass(SessionFlow.Event.FrameReceived.class);
    eventually("another is decoded", WITHIN, decoded::get, many -> many == 3);
  }

  @Test
  void a_client_that_reads_nothing_gets_no_second_frame() {
    actor.expectMessageClass(SessionFlow.Event.FrameReceived.class);
    out.tell(new SessionFlow.Out.Frame(SessionResponse.getDefaultInstance()));
    actor.expectMessageClass(SessionFlow.Event.FrameWanted.class);
    out.tell(new SessionFlow.Out.Frame(SessionResponse.getDefaultInstance()));
    actor.expectNoMessage(Duration.ofMillis(200));
    taken.complete(SessionResponse.getDefaultInstance());
    actor.expectMessageClass(SessionFlow.Event.FrameWanted.class);
  }
}
