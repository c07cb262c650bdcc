package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1alpha.ServerReflectionGrpc;
import io.grpc.reflection.v1alpha.ServerReflectionRequest;
import io.grpc.reflection.v1alpha.ServerReflectionResponse;
import io.grpc.reflection.v1alpha.ServiceResponse;
import io.grpc.stub.StreamObserver;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.LockRequest;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.LockServiceGrpc;
import io.holdfast.v1.MemberAddRequest;
import io.holdfast.v1.StatusRequest;
import io.holdfast.v1.UnlockRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's life as its operator sees it: it serves, says so, stops when told, and starts again. */
class NodeLifeTest {

  private static final Duration STOP_WITHIN = Duration.ofSeconds(15);
  private static final int SIGTERM_EXIT = 128 + 15;

  @TempDir private Path folder;

  @Test
  void it_answers_health_and_management_and_stops_within_5_s() throws Exception {
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      ManagedChannel channel = node.connect();
      HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(channel);
      assertEquals(ServingStatus.SERVING, health.check(service("")).getStatus());
      assertEquals(
          ServingStatus.SERVING, health.check(service("holdfast.v1.LockService")).getStatus());
      StatusRuntimeException unknown =
          assertThrows(StatusRuntimeException.class, () -> health.check(service("unknown")));
      assertEquals(Status.Code.NOT_FOUND, unknown.getStatus().getCode());
      assertEquals(
          Set.of(
              "holdfast.v1.LockService",
              "grpc.health.v1.Health",
              "grpc.reflection.v1alpha.ServerReflection"),
          services(channel));
      assertEquals(200, status(node, "/ready"));
      assertEquals(200, status(node, "/alive"));
      assertAdministrationIsElsewhere(node, channel);
      Iterator<HealthCheckResponse> watch = health.watch(service(""));
      assertEquals(ServingStatus.SERVING, watch.next().getStatus());

      long before = System.nanoTime();
      assertEquals(SIGTERM_EXIT, node.terminate());
      Duration took = Duration.ofNanos(System.nanoTime() - before);
      assertTrue(took.compareTo(STOP_WITHIN) < 0, () -> "took " + took);
      assertTrue(node.output().strip().endsWith("stopped"), node::output);
      assertEquals("", node.errors());
      channel.shutdownNow();
    }
  }

  private static void assertAdministrationIsElsewhere(NodeUnderTest node, ManagedChannel clients)
      throws Exception {
    ManagedChannel admin = node.connectAdmin();
    try {
      assertEquals(
          Set.of(
              "holdfast.v1.AdminService",
              "grpc.health.v1.Health",
              "grpc.reflection.v1alpha.ServerReflection"),
          services(admin));
      assertEquals(
          ServingStatus.SERVING,
          HealthGrpc.newBlockingStub(admin).check(service("holdfast.v1.AdminService")).getStatus());
      assertTrue(
          AdminServiceGrpc.newBlockingStub(admin)
              .status(StatusRequest.getDefaultInstance())
              .getServing());
      StatusRuntimeException refused =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  AdminServiceGrpc.newBlockingStub(clients)
                      .memberAdd(
                          MemberAddRequest.newBuilder().setLogAddress("10.0.0.1:1").build()));
      assertEquals(Status.Code.UNIMPLEMENTED, refused.getStatus().getCode());
    } finally {
      admin.shutdownNow();
    }
  }

  @Test
  void a_lock_outlives_kill_9_and_tokens_still_rise() {
    long before;
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      before = acquire(node, "one").getFencingToken();
      node.kill();
    }
    try (NodeUnderTest node = NodeUnderTest.serving(folder)) {
      assertFalse(acquire(node, "another").getAcquired());
      LockResponse again = acquire(node, "one");
      assertTrue(again.getAcquired());
      assertEquals(before, again.getFencingToken());
      release(node, before);
      assertTrue(acquire(node, "another").getFencingToken() > before);
    }
  }

  private static LockResponse acquire(NodeUnderTest node, String holder) {
    return call(
        node,
        service ->
            service.lock(
                LockRequest.newBuilder()
                    .setKey("key")
                    .setHolderId(holder)
                    .setTtlMs(60_000)
                    .build()));
  }

  private static void release(NodeUnderTest node, long token) {
    var unused =
        call(
            node,
            service ->
                service.unlock(
                    UnlockRequest.newBuilder().setKey("key").setFencingToken(token).build()));
  }

  private static <T> T call(
      NodeUnderTest node, Function<LockServiceGrpc.LockServiceBlockingStub, T> call) {
    ManagedChannel channel = node.connect();
    try {
      return call.apply(LockServiceGrpc.newBlockingStub(channel));
    } finally {
      channel.shutdownNow();
    }
  }

  private static HealthCheckRequest service(String name) {
    return HealthCheckRequest.newBuilder().setService(name).build();
  }

  private static int status(NodeUnderTest node, String path) throws Exception {
    String base = node.managementUrl();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(5)).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** The answer of management. */
  static String body(NodeUnderTest node, String path) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(node.managementUrl() + path)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The status of an answer of management; 0 if there is none. */
  static int statusOrNothing(NodeUnderTest node, String path) {
    try {
      return status(node, path);
    } catch (Exception e) {
      return 0;
    }
  }

  private static Set<String> services(ManagedChannel channel) throws Exception {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("*").build());
    ServerReflectionResponse response = answer.get(20, TimeUnit.SECONDS);
    requests.onCompleted();
    return response.getListServicesResponse().getServiceList().stream()
        .map(ServiceResponse::getName)
        .collect(Collectors.toSet());
  }
}
