package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ManagedChannel;
import io.grpc.reflection.v1alpha.ServerReflectionGrpc;
import io.grpc.reflection.v1alpha.ServerReflectionRequest;
import io.grpc.reflection.v1alpha.ServerReflectionResponse;
import io.grpc.reflection.v1alpha.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/** Reads the services of a server, and the files that describe them, by reflection. */
final class Reflected {

  private static final ServerReflectionRequest SERVICES =
      ServerReflectionRequest.newBuilder().setListServices("").build();

  private Reflected() {}

  /** The names of its services. Ends the connection. */
  static List<String> services(ManagedChannel channel) {
    try {
      return ask(channel, SERVICES).getListServicesResponse().getServiceList().stream()
          .map(ServiceResponse::getName)
          .toList();
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * The names of the file that has the service, and of all that it imports. Ends the connection.
   */
  static Set<String> files(ManagedChannel channel, String service)
      throws InvalidProtocolBufferException {
    Set<String> names = new TreeSet<>();
    Deque<ServerReflectionRequest> questions = new ArrayDeque<>();
    questions.add(ServerReflectionRequest.newBuilder().setFileContainingSymbol(service).build());
    try {
      while (!questions.isEmpty()) {
        ServerReflectionResponse answer = ask(channel, questions.remove());
        for (ByteString bytes : answer.getFileDescriptorResponse().getFileDescriptorProtoList()) {
          FileDescriptorProto file = FileDescriptorProto.parseFrom(bytes);
          if (names.add(file.getName())) {
            file.getDependencyList()
                .forEach(
                    name ->
                        questions.add(
                            ServerReflectionRequest.newBuilder().setFileByFilename(name).build()));
          }
        }
      }
      return names;
    } finally {
      channel.shutdownNow();
    }
  }

  private static ServerReflectionResponse ask(
      ManagedChannel channel, ServerReflectionRequest question) {
    AtomicReference<Object> answer = new AtomicReference<>("none");
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.set(response);
                  }

                  @Override
                  public void onError(Throwable error) {
                    answer.set("failed: " + error);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(question);
    Object told =
        eventually(
            "an answer",
            ClusterUnderTest.WITHIN,
            answer::get,
            each -> each instanceof ServerReflectionResponse);
    requests.onCompleted();
    return (ServerReflectionResponse) told;
  }
}
