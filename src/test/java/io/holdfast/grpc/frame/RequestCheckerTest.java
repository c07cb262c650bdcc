package io.holdfast.grpc.frame;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.NotUsed;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.http.javadsl.model.RequestEntity;
import akka.http.javadsl.model.headers.RawHeader;
import akka.stream.BoundedSourceQueue;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.holdfast.fixtures.LocalActors;
import io.holdfast.grpc.guard.ClientConnection;
import io.holdfast.grpc.guard.Quota;
import io.holdfast.v1.Header;
import io.holdfast.v1.Refusal;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Refusals of requests before decoding, and the memory of refused ones. */
class RequestCheckerTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final ByteString GOOD = DeframerTest.frame(0, 3, (byte) 1, (byte) 2, (byte) 3);

  private static final Header HEADER = Header.newBuilder().setClusterId(11).setMemberId(12).build();

  @RegisterExtension static final LocalActors actors = new LocalActors();

  private final Quota bytes = new Quota(Quota.Kind.BYTES, 1_000, 400);
  private final Quota unread = new Quota(Quota.Kind.UNREAD, 1_000, 400);
  private final ClientConnection caller = ClientConnection.unknown();
  private final List<HttpRequest> passed = new CopyOnWriteArrayList<>();

  @Test
  void a_message_in_one_piece_is_passed_on_unchanged() {
    RequestEntity entity = HttpEntities.create(type("grpc"), GOOD);
    assertEquals(200, answer(entity).status().intValue());
    assertEquals(List.of(entity), passed.stream().map(HttpRequest::entity).toList());
  }

  @Test
  void a_message_in_pieces_is_passed_on_after_the_end_of_the_call() throws Exception {
    Body body = new Body();
    CompletionStage<HttpResponse> answer = body.ask(this);
    body.send(GOOD.take(4));
    body.send(GOOD.drop(4));
    assertFalse(answer.toCompletableFuture().isDone());
    body.sends.complete();
    assertEquals(200, now(answer).status().intValue());
    assertEquals(GOOD, ((HttpEntity.Strict) passed.get(0).entity()).getData());
    assertEquals(0, bytes.taken());
  }

  @Test
  void a_too_large_message_is_refused_before_the_call_ends() throws Exception {
    Body body = new Body();
    CompletionStage<HttpResponse> answer = body.ask(this);
    body.send(DeframerTest.frame(0, Integer.MAX_VALUE));
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, now(answer));
    for (int i = 0; i < 3; i++) {
      body.send(ByteString.fromArray(new byte[10_000])); // it is read, and leaves nothing
    }
    assertEquals(0, bytes.taken());
    body.sends.complete();
    assertTrue(passed.isEmpty());
  }

  @Test
  void a_refused_call_that_sends_on_for_long_is_cancelled() throws Exception {
    Body body = new Body();
    CompletionStage<HttpResponse> answer = body.ask(this);
    body.send(DeframerTest.frame(0, Integer.MAX_VALUE));
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, now(answer));
    for (int i = 0; i < 16; i++) {
      body.send(ByteString.fromArray(new byte[65_536]));
    }
    eventually(
        "it is read no more",
        WITHIN,
        () -> body.sends.offer(GOOD),
        offered -> !offered.isEnqueued());
  }

  @Test
  void endless_bodies_take_at_most_the_share_of_a_connection() throws Exception {
    Body first = new Body();
    CompletionStage<HttpResponse> one = first.ask(this);
    first.send(DeframerTest.frame(0, 300, new byte[250]));
    eventually("it is counted", WITHIN, bytes::taken, taken -> taken > 0);
    Body second = new Body();
    CompletionStage<HttpResponse> other = second.ask(this);
    second.send(DeframerTest.frame(0, 300, new byte[250]));
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, now(other));
    assertFalse(one.toCompletableFuture().isDone());
    first.sends.fail(new IllegalStateException("on purpose"));
    assertEquals(200, now(one).status().intValue());
    eventually("all is given back", WITHIN, bytes::taken, taken -> taken == 0);
  }

  @Test
  void a_refused_call_that_sends_on_keeps_no_bytes_in_memory() throws Exception {
    Body body = new Body();
    CompletionStage<HttpResponse> answer = body.ask(this);
    WeakReference<byte[]> sent = sendTooLarge(body);
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, now(answer));
    eventually(
        "its bytes are let go",
        WITHIN,
        () -> {
          System.gc();
          return Optional.ofNullable(sent.get());
        },
        Optional::isEmpty);
    body.send(GOOD); // the call has not ended
    body.sends.complete();
  }

  private static WeakReference<byte[]> sendTooLarge(Body body) {
    byte[] bytes = new byte[100_000];
    bytes[1] = 0x7F;
    body.send(ByteString.fromArrayUnsafe(bytes));
    return new WeakReference<>(bytes);
  }

  @Test
  void a_compressed_call_is_refused_as_unimplemented() {
    HttpResponse answer =
        ask(request(HttpEntities.create(type("grpc"), GOOD)).addHeader(encoding("gzip")));
    assertRefused(Status.Code.UNIMPLEMENTED, answer);
    assertEquals(
        Optional.of("identity"),
        answer.getHeader("grpc-accept-encoding").map(header -> header.value()));
    assertEquals(
        200,
        ask(request(HttpEntities.create(type("grpc"), GOOD)).addHeader(encoding("identity")))
            .status()
            .intValue());
  }

  @Test
  void a_call_of_another_type_is_read_only_up_to_a_limit() throws Exception {
    List<HttpRequest> requests =
        List.of(
            request(HttpEntities.create(ContentTypes.TEXT_PLAIN_UTF8, GOOD)),
            request(HttpEntities.create(type("grpc"), GOOD)).addHeader(encoding("gzip")));
    for (HttpRequest each : requests) {
      Body body = new Body();
      HttpResponse answer =
          ask(each.withEntity(HttpEntities.create(each.entity().getContentType(), body.source)));
      assertTrue(answer.status().intValue() == 415 || answer.status().intValue() == 200);
      for (int i = 0; i < 16; i++) {
        body.send(ByteString.fromArray(new byte[65_536]));
      }
      eventually(
          "it is read no more",
          WITHIN,
          () -> body.sends.offer(GOOD),
          offered -> !offered.isEnqueued());
    }
  }

  @Test
  void calls_above_the_unread_limit_are_refused_except_a_reserve() {
    unread.count(caller, 400);
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, answer(HttpEntities.create(type("grpc"), GOOD)));
    HttpRequest first = request(HttpEntities.create(type("grpc"), GOOD));
    assertEquals(200, ask(first.withUri("/a.Service/First")).status().intValue());
    assertEquals(1, passed.size());
    unread.count(caller, 200);
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, ask(first.withUri("/a.Service/First")));
    unread.give(caller, 600);
    assertEquals(200, answer(HttpEntities.create(type("grpc"), GOOD)).status().intValue());
  }

  @Test
  void a_unary_body_without_exactly_one_message_is_refused() {
    for (ByteString bad :
        List.of(
            ByteString.emptyByteString(),
            GOOD.concat(GOOD),
            GOOD.dropRight(1),
            GOOD.concat(ByteString.fromString("x")),
            DeframerTest.frame(1, 3, new byte[3]))) {
      assertRefused(Status.Code.INVALID_ARGUMENT, answer(HttpEntities.create(type("grpc"), bad)));
      assertRefused(
          Status.Code.INVALID_ARGUMENT,
          answer(HttpEntities.create(type("grpc"), Source.single(bad))));
    }
    assertTrue(passed.isEmpty());
  }

  @Test
  void a_request_of_another_content_type_is_refused() {
    RequestEntity text = HttpEntities.create(ContentTypes.TEXT_PLAIN_UTF8, GOOD);
    assertEquals(415, answer(text).status().intValue());
    assertEquals(415, answer(HttpEntities.create(type("grpc-web"), GOOD)).status().intValue());
  }

  private static void assertRefused(Status.Code code, HttpResponse answer) {
    List<HttpHeader> trailers = new CopyOnWriteArrayList<>();
    answer.getHeaders().forEach(trailers::add);
    if (answer.entity() instanceof HttpEntity.Chunked chunked) {
      var end =
          chunked
              .getChunks()
              .runForeach(part -> part.getTrailerHeaders().forEach(trailers::add), actors.system());
      eventually("the answer ends", WITHIN, end.toCompletableFuture()::isDone, is -> is);
    }
    String expected = Integer.toString(code.value());
    assertTrue(
        trailers.stream()
            .anyMatch(is -> is.name().equals("grpc-status") && is.value().equals(expected)),
        trailers::toString);
    assertEquals(HEADER, refusal(trailers).getHeader(), "it says who refuses");
  }

  private static Refusal refusal(List<HttpHeader> trailers) {
    String details =
        trailers.stream()
            .filter(is -> is.name().equals("grpc-status-details-bin"))
            .findFirst()
            .orElseThrow()
            .value();
    try {
      return com.google.rpc.Status.parseFrom(Base64.getDecoder().decode(details))
          .getDetails(0)
          .unpack(Refusal.class);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  /** A request that comes piece by piece, as the test sends it. */
  private static final class Body {
    private final BoundedSourceQueue<ByteString> sends;
    private final Source<ByteString, NotUsed> source;

    Body() {
      var made = Source.<ByteString>queue(64).preMaterialize(actors.system());
      sends = made.first();
      source = made.second();
    }

    CompletionStage<HttpResponse> ask(RequestCheckerTest test) throws Exception {
      return test.checked().apply(test.request(HttpEntities.create(type("grpc"), source)));
    }

    void send(ByteString piece) {
      assertTrue(sends.offer(piece).isEnqueued());
    }
  }

  private HttpResponse answer(RequestEntity entity) {
    return ask(request(entity));
  }

  private HttpResponse ask(HttpRequest request) {
    try {
      return now(checked().apply(request));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static HttpResponse now(CompletionStage<HttpResponse> answer) throws Exception {
    return answer.toCompletableFuture().get(WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  private HttpRequest request(RequestEntity entity) {
    return HttpRequest.POST("/a.Service/Method")
        .addAttribute(ClientConnection.KEY, caller)
        .withEntity(entity);
  }

  private RequestChecker checked() {
    return new RequestChecker(
        actors.system(),
        new FailureResponses(actors.system(), () -> HEADER),
        bytes,
        unread,
        request -> request.getUri().path().endsWith("First"),
        request -> false,
        request -> {
          throw new AssertionError("no stream");
        },
        request -> {
          passed.add(request);
          return CompletableFuture.completedFuture(HttpResponse.create());
        });
  }

  private static akka.http.javadsl.model.ContentType type(String name) {
    return ContentTypes.create(MediaTypes.applicationBinary(name, /* compressible= */ true));
  }

  private static RawHeader encoding(String name) {
    return RawHeader.create("grpc-encoding", name);
  }
}
