package io.holdfast.grpc.frame;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.Done;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import io.grpc.StatusRuntimeException;
import io.holdfast.fixtures.LocalActors;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Frames of sessions for which there is no room, before anyone decodes them. */
class DeframerStageTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final int ALL = 1_000_000;
  private static final ByteString LARGE = DeframerTest.frame(0, 595, new byte[595]);

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final Quota bytes = new Quota(Quota.Kind.BYTES, 4_000, 1_300);
  private final Quota frames = new Quota(Quota.Kind.FRAMES, ALL, ALL);
  private final Quota unread = new Quota(Quota.Kind.UNREAD, ALL, ALL);
  private final ClientConnection caller = ClientConnection.unknown();
  private final List<ByteString> passed = new CopyOnWriteArrayList<>();

  @Test
  void a_frame_without_room_waits_undecoded_and_counts() throws Exception {
    frames.count(caller, ALL);
    CompletableFuture<Done> end = stream(LARGE.concat(LARGE));
    eventually("it waits", WITHIN, bytes::taken, taken -> taken == 1_200L);
    assertTrue(passed.isEmpty());
    frames.give(caller, ALL);
    end.get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    assertEquals(List.of(LARGE, LARGE), passed);
    assertEquals(0, bytes.taken());
  }

  @Test
  void waiting_frames_take_at_most_the_share_of_a_connection() {
    frames.count(caller, ALL);
    CompletableFuture<Done> first = stream(LARGE.concat(LARGE));
    eventually("it waits", WITHIN, bytes::taken, taken -> taken == 1_200L);
    CompletableFuture<Done> second = stream(LARGE);
    ExecutionException refused =
        assertThrows(
            ExecutionException.class, () -> second.get(WITHIN.toSeconds(), TimeUnit.SECONDS));
    StatusRuntimeException reason =
        assertInstanceOf(StatusRuntimeException.class, refused.getCause());
    assertEquals(Reason.REASON_OVERLOADED, StatusMapping.refusal(reason).getReason());
    frames.give(caller, ALL);
    eventually("the first passes", WITHIN, first::isDone, done -> done);
    assertEquals(List.of(LARGE, LARGE), passed);
  }

  private CompletableFuture<Done> stream(ByteString data) {
    return Source.single(data)
        .via(DeframerStage.ofSession(bytes, new SessionIntake(frames, unread, caller)))
        .runForeach(passed::add, actors.system())
        .toCompletableFuture();
  }
}
