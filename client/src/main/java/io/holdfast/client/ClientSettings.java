package io.holdfast.client;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The checked settings of a client. */
record ClientSettings(
    List<Endpoint> endpoints,
    String clientId,
    Duration ttl,
    Duration answerWithin,
    ChannelCredentials channelCredentials,
    @Nullable CallCredentials callCredentials,
    List<ClientInterceptor> interceptors,
    @Nullable String authority,
    Executor callbacks,
    ClientEvents events,
    LongSupplier nanoClock,
    KnownNodes.Names names) {

  private static final Duration MIN_TTL = Duration.ofSeconds(1);
  private static final Duration MAX_TTL = Duration.ofMinutes(10);
  private static final Duration MIN_ANSWER_WITHIN = Duration.ofMillis(100);
  private static final Duration MAX_ANSWER_WITHIN = Duration.ofMinutes(1);

  ClientSettings {
    endpoints = List.copyOf(endpoints);
    interceptors = List.copyOf(interceptors);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no endpoint is given");
    }
    ArgumentChecks.clientId(clientId);
    requireWithin("ttl", ttl, MIN_TTL, MAX_TTL);
    requireWithin("answerWithin", answerWithin, MIN_ANSWER_WITHIN, MAX_ANSWER_WITHIN);
  }

  private static void requireWithin(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "%s [%s] is not within [%s] and [%s]".formatted(name, value, min, max));
    }
  }
}
