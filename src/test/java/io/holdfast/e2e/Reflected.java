package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import io.grpc.ManagedChannel;
import io.grpc.reflection.v1alpha.ServerReflectionGrpc;
import io.grpc.reflection.v1alpha.ServerReflectionRequest;
import io.grpc.reflection.v1alpha.ServerReflectionResponse;
import io.grpc.reflection.v1alpha.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Reads the services of a server by reflection. */
final class Reflected {

  private Reflected() {}

  /** The names of its services. Ends the connection. */
  static List<String> services(ManagedChannel channel) {
    AtomicReference<List<String>> answer = new AtomicReference<>(List.of());
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.set(
                        response.getListServicesResponse().getServiceList().stream()
                            .map(ServiceResponse::getName)
                            .toList());
                  }

                  @Override
                  public void onError(Throwable error) {
                    answer.set(List.of("failed: " + error));
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    try {
      return eventually("an answer", ClusterUnderTest.WITHIN, answer::get, told -> !told.isEmpty());
    } finally {
      channel.shutdownNow();
    }
  }
}
