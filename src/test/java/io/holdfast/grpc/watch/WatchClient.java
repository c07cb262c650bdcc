package io.holdfast.grpc.watch;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.ActorSystem;
import akka.stream.Attributes;
import akka.stream.BoundedSourceQueue;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.SinkQueueWithCancel;
import akka.stream.javadsl.Source;
import io.grpc.StatusRuntimeException;
import io.holdfast.config.WatchSettings;
import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.id.Revision;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.WatchRequest;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.WatchHub;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client's end of a stream of watches. It reads one answer ahead, as small as the streams allow.
 */
final class WatchClient {

  private static final AnswerFacts FACTS =
      new AnswerFacts() {
        @Override
        public long wallMs() {
          return 0;
        }

        @Override
        public NodeIdentity identity() {
          return new NodeIdentity(11, 12);
        }

        @Override
        public Revision revision() {
          throw new UnsupportedOperationException("a watch has its own revision");
        }

        @Override
        public long term() {
          return 5;
        }
      };

  private final BoundedSourceQueue<WatchRequest> requests;
  private final SinkQueueWithCancel<WatchResponse> answers;

  WatchClient(ActorSystem system, WatchHub hub, WatchSettings settings) {
    this(
        system,
        new WatchEndpoint(hub, FACTS, settings),
        new Quota(Quota.Kind.UNREAD, 1_000_000, 1_000_000),
        ClientConnection.unknown());
  }

  /**
   * One of an address that has its share.
   *
   * @param bytes for watches
   * @param unread for what is not read
   */
  WatchClient(
      ActorSystem system,
      WatchHub hub,
      WatchSettings settings,
      Quota bytes,
      Quota unread,
      ClientConnection caller) {
    this(
        system,
        new WatchEndpoint(
            hub, FACTS, settings, bytes, new ChangeNoteTranslator(), System::nanoTime),
        unread,
        caller);
  }

  private WatchClient(
      ActorSystem system, WatchEndpoint endpoint, Quota unread, ClientConnection caller) {
    var ends =
        endpoint
            .watch(Source.<WatchRequest>queue(100), unread, caller)
            .toMat(
                Sink.<WatchResponse>queue().withAttributes(Attributes.inputBuffer(1, 1)),
                Keep.both())
            .run(system);
    requests = ends.first();
    answers = ends.second();
  }

  void send(WatchRequest request) {
    assertTrue(requests.offer(request).isEnqueued());
  }

  WatchResponse receive() {
    try {
      return answers.pull().toCompletableFuture().get(5, TimeUnit.SECONDS).orElseThrow();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** It sends no more. */
  void finish() {
    requests.complete();
  }

  /** It has gone. */
  void leave() {
    answers.cancel();
  }

  boolean isComplete() {
    try {
      return answers.pull().toCompletableFuture().get(5, TimeUnit.SECONDS).isEmpty();
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("no end", e);
    }
  }

  Reason failure() {
    ExecutionException failure =
        assertThrows(
            ExecutionException.class,
            () -> answers.pull().toCompletableFuture().get(5, TimeUnit.SECONDS));
    Refusal refusal =
        WatchRefusals.of(assertInstanceOf(StatusRuntimeException.class, failure.getCause()));
    return refusal.getReason();
  }
}
