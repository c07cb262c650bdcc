package io.holdfast.grpc.admin;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorSystem;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.SinkQueueWithCancel;
import com.google.protobuf.ByteString;
import com.typesafe.config.ConfigFactory;
import io.grpc.StatusRuntimeException;
import io.holdfast.coordination.Administration.ClusterView;
import io.holdfast.coordination.StateCopies;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.id.Revision;
import io.holdfast.v1.Header;
import io.holdfast.v1.Reason;
import io.holdfast.v1.SnapshotResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A copy of the state as its client reads it. */
class SnapshotStreamTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final int BYTES = 20 << 20;

  private static final ActorSystem SYSTEM =
      ActorSystem.create(
          "copies",
          ConfigFactory.parseString("akka { loglevel = OFF, stdout-loglevel = OFF }")
              .withFallback(ConfigFactory.defaultReference())
              .resolve());

  private final byte[] state = new byte[BYTES];
  private final AtomicInteger closed = new AtomicInteger();
  private volatile int failsAt = Integer.MAX_VALUE;
  private volatile int written;

  private final SnapshotStream stream =
      new SnapshotStream(
          () -> CompletableFuture.completedFuture(new StateUnderTest()),
          () -> Header.newBuilder().setClusterId(7).setMemberId(8).setRevision(9).build(),
          () -> 1_000,
          "1.2.3");

  @AfterAll
  static void stop() {
    SYSTEM.terminate();
  }

  @Test
  void a_snapshot_has_a_header_chunks_and_a_checksum() throws Exception {
    new Random(1).nextBytes(state);
    List<SnapshotResponse> pieces =
        get(stream.after(SnapshotStreamTest::now).runWith(Sink.seq(), SYSTEM));
    assertEquals(5, pieces.get(0).getHeader().getAppliedIndex());
    assertEquals(6, pieces.get(0).getHeader().getHeader().getRevision());
    assertEquals(2, pieces.get(0).getHeader().getLockCount());
    assertEquals("1.2.3", pieces.get(0).getHeader().getVersion());
    ByteString all = ByteString.EMPTY;
    for (SnapshotResponse piece : pieces.subList(1, pieces.size() - 1)) {
      assertTrue(piece.getChunk().size() <= 256 << 10, "a chunk of " + piece.getChunk().size());
      all = all.concat(piece.getChunk());
    }
    assertEquals(ByteString.copyFrom(state), all);
    SnapshotResponse last = pieces.get(pieces.size() - 1);
    assertEquals(BYTES, last.getSum().getSize());
    byte[] sum = MessageDigest.getInstance("SHA-256").digest(state);
    assertEquals(ByteString.copyFrom(sum), last.getSum().getSha256());
    assertEquals(1, closed.get());
  }

  @Test
  void a_second_snapshot_is_refused_while_one_is_in_progress() {
    SinkQueueWithCancel<SnapshotResponse> slow =
        stream.after(SnapshotStreamTest::now).runWith(Sink.queue(), SYSTEM);
    assertTrue(get(slow.pull()).orElseThrow().hasHeader());
    CompletionException second =
        assertThrows(
            CompletionException.class,
            () -> get(stream.after(SnapshotStreamTest::now).runWith(Sink.seq(), SYSTEM)));
    assertEquals(Reason.REASON_TOO_MANY_STREAMS, reason(second));
    assertTrue(written < BYTES, "all of it was written, though nobody reads");
    slow.cancel();
    eventually("the copy is let go", WITHIN, closed::get, count -> count == 1);
    List<SnapshotResponse> next = nextCopy();
    assertTrue(next.get(next.size() - 1).hasSum());
  }

  @Test
  void a_failed_snapshot_has_no_checksum() {
    failsAt = BYTES / 2;
    SinkQueueWithCancel<SnapshotResponse> read =
        stream.after(SnapshotStreamTest::now).runWith(Sink.queue(), SYSTEM);
    CompletionException failure =
        assertThrows(
            CompletionException.class,
            () -> {
              Optional<SnapshotResponse> piece = get(read.pull());
              while (piece.isPresent()) {
                assertTrue(!piece.get().hasSum());
                piece = get(read.pull());
              }
            });
    assertEquals(Reason.REASON_INTERNAL, reason(failure));
    eventually("the copy is let go", WITHIN, closed::get, count -> count == 1);
  }

  @Test
  void a_snapshot_without_a_majority_fails_and_the_next_succeeds() {
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () ->
                get(
                    stream
                        .after(
                            () ->
                                CompletableFuture.failedFuture(
                                    StatusMapping.error(Reason.REASON_NO_MAJORITY, "none")))
                        .runWith(Sink.seq(), SYSTEM)));
    assertEquals(Reason.REASON_NO_MAJORITY, reason(refused));
    assertTrue(nextCopy().size() > 2);
  }

  /** A stream gives its place back a moment after its caller has heard of its end. */
  private List<SnapshotResponse> nextCopy() {
    return eventually(
        "the next one is made",
        WITHIN,
        () -> {
          try {
            return get(stream.after(SnapshotStreamTest::now).runWith(Sink.seq(), SYSTEM));
          } catch (CompletionException e) {
            return List.<SnapshotResponse>of();
          }
        },
        pieces -> !pieces.isEmpty());
  }

  private static CompletionStage<Boolean> now() {
    return CompletableFuture.completedFuture(true);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
  }

  private static Reason reason(CompletionException failure) {
    return StatusMapping.refusal(
            (StatusRuntimeException) Objects.requireNonNull(failure.getCause()))
        .getReason();
  }

  private final class StateUnderTest implements StateCopies.Copy {

    @Override
    public StateCopies.Facts facts() {
      return new StateCopies.Facts(
          5,
          new Revision(6),
          2,
          1,
          new ClusterView(8, 5, 5, 5, 48, 48, 1, List.of(), List.of(), List.of()));
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      int piece = 64 << 10;
      for (int at = 0; at < BYTES; at += piece) {
        if (at >= failsAt) {
          throw new IOException("the disk is gone");
        }
        out.write(state, at, piece);
        written = at + piece;
      }
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }
}
