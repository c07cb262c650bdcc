package io.holdfast.cli;

import io.grpc.MethodDescriptor;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.StatusRequest;
import io.holdfast.v1.StatusResponse;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** The members of a cluster, as their administration answers for itself. */
final class Members {

  private Members() {}

  static StatusResponse status(HoldfastClient client) {
    return client
        .calls()
        .read(AdminServiceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
  }

  /**
   * The word of every address that answers, by the address.
   *
   * @throws HoldfastException if none does
   */
  static Map<String, StatusResponse> askAll(AdminConnection connection) {
    Map<String, CompletableFuture<@Nullable StatusResponse>> asked = new LinkedHashMap<>();
    Map<String, StatusResponse> answers = new LinkedHashMap<>();
    ExecutorService asking = Executors.newCachedThreadPool();
    try {
      for (String each : new LinkedHashSet<>(connection.endpoints())) {
        asked.put(each, CompletableFuture.supplyAsync(() -> ask(connection, each), asking));
      }
      asked.forEach(
          (endpoint, future) -> {
            StatusResponse answer = future.join();
            if (answer != null) {
              answers.put(endpoint, answer);
            }
          });
    } finally {
      asking.shutdown();
    }
    if (answers.isEmpty()) { // with more patience, and then with the reason
      try (HoldfastClient any = connection.openLasting()) {
        answers.put("", status(any));
      }
    }
    return answers;
  }

  private static @Nullable StatusResponse ask(AdminConnection connection, String endpoint) {
    try (HoldfastClient client = connection.openAlone(endpoint)) {
      return status(client);
    } catch (HoldfastException e) {
      return null;
    }
  }

  /**
   * Asks the member that leads for a change. A repetition does no harm, by the contract.
   *
   * @throws NoAnswer if it is none of those that were given
   */
  static <Q, A> A change(AdminConnection connection, MethodDescriptor<Q, A> method, Q request) {
    Map<String, StatusResponse> answers = askAll(connection);
    long leader =
        answers.values().stream()
            .max(Comparator.comparingLong(answer -> answer.getHeader().getRaftTerm()))
            .map(StatusResponse::getLeaderId)
            .orElse(0L);
    Optional<String> its =
        answers.entrySet().stream()
            .filter(answer -> answer.getValue().getHeader().getMemberId() == leader)
            .map(Map.Entry::getKey)
            .filter(endpoint -> !endpoint.isEmpty())
            .findFirst();
    if (leader != 0 && its.isEmpty() && !answers.containsKey("")) {
      throw new NoAnswer(
          "member [%s] leads, and answers at none of %s: %s must name its administration"
              .formatted(
                  MemberFields.name(leader), connection.endpoints(), AdminConnection.OPTION));
    }
    // Who leads may change: then the others are asked.
    try (HoldfastClient client =
        its.isPresent() ? connection.openFirst(its.get()) : connection.openLasting()) {
      return client.calls().ask(method, request);
    }
  }
}
