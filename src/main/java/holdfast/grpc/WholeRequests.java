package holdfast.grpc;

import akka.actor.typed.ActorSystem;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.japi.function.Function;
import akka.stream.SystemMaterializer;
import holdfast.v1.AdminService;
import holdfast.v1.LockService;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Takes requests of one message as a whole, before anyone decodes them. Who stops reading a request
 * that has not ended resets its stream, and then the client hears of that instead of the answer.
 */
final class WholeRequests implements Function<HttpRequest, CompletionStage<HttpResponse>> {

  private static final long serialVersionUID = 1;

  private static final Duration WITHIN = Duration.ofSeconds(10);

  /** More than a message may have: one that is too large is answered too. */
  private static final long MAX_BYTES = 4L << 20;

  private static final String PREFIX = "/" + LockService.name + "/";
  private static final String ADMIN = "/" + AdminService.name + "/";
  private static final Set<String> STREAMS =
      Set.of(PREFIX + "LeaseKeepAlive", PREFIX + "Watch", PREFIX + "Session");

  private final transient ActorSystem<?> system;
  private final transient Function<HttpRequest, CompletionStage<HttpResponse>> next;

  WholeRequests(ActorSystem<?> system, Function<HttpRequest, CompletionStage<HttpResponse>> next) {
    this.system = system;
    this.next = next;
  }

  @Override
  public CompletionStage<HttpResponse> apply(HttpRequest request) throws Exception {
    String path = request.getUri().path();
    if (request.entity().isStrict() || !isOurs(path) || STREAMS.contains(path)) {
      return next.apply(request);
    }
    return request
        .entity()
        .toStrict(WITHIN.toMillis(), MAX_BYTES, SystemMaterializer.get(system).materializer())
        .handle((whole, failure) -> failure == null ? answer(request.withEntity(whole)) : late())
        .thenCompose(answer -> answer);
  }

  private static boolean isOurs(String path) {
    return path.startsWith(PREFIX) || path.startsWith(ADMIN);
  }

  private CompletionStage<HttpResponse> answer(HttpRequest request) {
    try {
      return next.apply(request);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static CompletionStage<HttpResponse> late() {
    return CompletableFuture.completedFuture(
        HttpResponse.create().withStatus(StatusCodes.REQUEST_TIMEOUT));
  }
}
