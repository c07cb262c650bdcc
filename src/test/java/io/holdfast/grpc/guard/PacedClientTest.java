package io.holdfast.grpc.guard;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.NotUsed;
import akka.http.impl.engine.http2.Http2Blueprint;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.scaladsl.Http$;
import akka.http.scaladsl.settings.ServerSettings;
import akka.stream.SystemMaterializer;
import akka.stream.javadsl.BidiFlow;
import akka.stream.javadsl.Flow;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Tcp;
import akka.util.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.stub.StreamObserver;
import io.holdfast.config.GuardSettings;
import io.holdfast.fixtures.LocalActors;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.SessionRequest;
import io.holdfast.v1.SessionResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real client, and Akka's layers of HTTP/2, at a node that is late. */
class PacedClientTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);
  private static final int CALLS = 500;
  private static final GuardSettings BOUNDS =
      new GuardSettings(10, 10, Duration.ofMinutes(1), 1_000, 10, 100, 100, 100, 100, 100);

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger keptAlive = new AtomicInteger();
  private volatile int callsBefore; // before the last keepalive

  @Test
  void a_session_goes_on_beside_a_flood_of_calls() throws Exception {
    Tcp.ServerBinding server =
        Tcp.get(actors.system())
            .bind("127.0.0.1", 0)
            .to(Sink.foreach(one -> serve().join(one.flow()).run(actors.system())))
            .run(actors.system())
            .toCompletableFuture()
            .get(WITHIN.toSeconds(), TimeUnit.SECONDS);
    ManagedChannel channel =
        Grpc.newChannelBuilder(
                "127.0.0.1:" + server.localAddress().getPort(), InsecureChannelCredentials.create())
            .build();
    StreamObserver<SessionRequest> session = LockServiceGrpc.newStub(channel).session(ignored());
    session.onNext(keepAlive(1));
    eventually("the session is open", WITHIN, keptAlive::get, count -> count == 1);
    HealthGrpc.HealthFutureStub health = HealthGrpc.newFutureStub(channel);
    for (int i = 0; i < CALLS; i++) {
      var unused = health.check(HealthCheckRequest.newBuilder().setService("call " + i).build());
    }
    for (int i = 2; i < 5; i++) {
      session.onNext(keepAlive(i));
    }
    eventually("keepalives have come", WITHIN, keptAlive::get, count -> count == 4);
    assertTrue(callsBefore < CALLS, () -> "calls before: " + callsBefore);
    eventually("all calls have come", WITHIN, calls::get, count -> count == CALLS);
    channel.shutdownNow();
    server.unbind().toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  /** Until the keepalives have come, each slice of calls waits for a second. */
  private long pace(long now) {
    return keptAlive.get() == 0 || keptAlive.get() == 4 ? 0 : Duration.ofSeconds(1).toNanos();
  }

  private Flow<ByteString, ByteString, NotUsed> serve() {
    ClientConnection caller = ClientConnection.unknown();
    Quota quota = new Quota(Quota.Kind.UNREAD, 1_000_000, 1_000_000);
    UnreadAnswers unread = new UnreadAnswers(quota, caller);
    FrameGuard guard =
        new FrameGuard(
            BOUNDS,
            this::pace,
            unread,
            new HeldCalls(new Quota(Quota.Kind.HELD, 4_000_000, 1_000_000), caller),
            System::nanoTime,
            violation -> calls.addAndGet(2 * CALLS)); // which fails the test
    RateLimitedLog log = new RateLimitedLog(System::nanoTime, line -> {});
    FailSafeHandler handler = new FailSafeHandler(this::answer, log);
    ServerSettings settings = HttpLayers.settings(BOUNDS);
    return Flow.fromGraph(
            Http2Blueprint.handleWithStreamIdHeader(
                BOUNDS.maxCalls(), handler::answer, actors.system().executionContext()))
        .join(
            HttpLayers.http2(
                settings,
                new RateLimitedAkkaLog(log),
                Http$.MODULE$.apply(actors.system().classicSystem()).dateHeaderRendering(),
                unread))
        .join(BidiFlow.fromGraph(guard));
  }

  private CompletionStage<HttpResponse> answer(HttpRequest request) {
    if (!request.getUri().path().endsWith("Session")) {
      calls.incrementAndGet();
      assertEquals("application", request.entity().getContentType().mediaType().mainType());
      return CompletableFuture.completedFuture(HttpResponse.create());
    }
    var unused =
        request
            .entity()
            .getDataBytes()
            .runWith(
                Sink.foreach(this::note), SystemMaterializer.get(actors.system()).materializer());
    return new CompletableFuture<>();
  }

  private void note(ByteString frames) {
    callsBefore = calls.get();
    keptAlive.addAndGet(frames.size() / (5 + keepAlive(1).getSerializedSize()));
  }

  private static SessionRequest keepAlive(int number) {
    return SessionRequest.newBuilder().setKeepAliveNumber(number).build();
  }

  private static StreamObserver<SessionResponse> ignored() {
    return new StreamObserver<>() {
      @Override
      public void onNext(SessionResponse answer) {}

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {}
    };
  }
}
