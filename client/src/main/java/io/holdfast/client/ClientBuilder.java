package io.holdfast.client;

import io.grpc.CallCredentials;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.InsecureChannelCredentials;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a client: its endpoints, lease and security. Not safe for several threads. */
public final class ClientBuilder {

  /** The default time for which the locks of a client outlive its last keepalive. */
  public static final Duration DEFAULT_TTL = Duration.ofSeconds(10);

  /** The default time that a request may take beyond the time it waits in the queue. */
  public static final Duration DEFAULT_ANSWER_WITHIN = Duration.ofSeconds(10);

  private final List<Endpoint> endpoints = new ArrayList<>();
  private final List<ClientInterceptor> interceptors = new ArrayList<>();
  private String clientId = UUID.randomUUID().toString();
  private Duration ttl = DEFAULT_TTL;
  private Duration answerWithin = DEFAULT_ANSWER_WITHIN;
  private ChannelCredentials channelCredentials = InsecureChannelCredentials.create();
  private @Nullable CallCredentials callCredentials;
  private @Nullable String authority;
  private Executor callbacks = ForkJoinPool.commonPool();
  private ClientEvents events = ClientEvents.NONE;
  private LongSupplier nanoClock = System::nanoTime;
  private KnownNodes.Names names = InetAddress::getAllByName;

  ClientBuilder() {}

  /**
   * Adds the endpoint of any node; the client learns the other nodes from it. With several
   * endpoints, or a name with several addresses, the client can start while one node is down.
   *
   * @param endpoint {@code host:port}, or {@code [address]:port} for IPv6
   */
  public ClientBuilder endpoint(String endpoint) {
    endpoints.add(Endpoint.parse(endpoint));
    return this;
  }

  /** Sets the client's name, which others see at its locks. Default: a random one. */
  public ClientBuilder clientId(String clientId) {
    this.clientId = clientId;
    return this;
  }

  /**
   * Sets the ttl of the client's session, on which its locks live: 1 s to 10 min. A shorter ttl
   * frees the locks of a dead client sooner; a longer one tolerates longer pauses and failures.
   * Default: {@link #DEFAULT_TTL}.
   */
  public ClientBuilder ttl(Duration ttl) {
    this.ttl = ttl;
    return this;
  }

  /**
   * Sets the time for which a request is retried, at all nodes, before it fails: 100 ms to 1 min.
   * Default: {@link #DEFAULT_ANSWER_WITHIN}, which outlasts the failure of a node.
   */
  public ClientBuilder answerWithin(Duration answerWithin) {
    this.answerWithin = answerWithin;
    return this;
  }

  /**
   * Sets the security of connections: {@code TlsChannelCredentials} of gRPC, with the certificates
   * to trust and, for mutual TLS, the client's own. Default: clear text.
   */
  public ClientBuilder transport(ChannelCredentials credentials) {
    this.channelCredentials = credentials;
    return this;
  }

  /** Sets the name in the nodes' certificates if it differs from that of the endpoint. */
  public ClientBuilder authority(String authority) {
    this.authority = authority;
    return this;
  }

  /** Sets the credentials of each call, for example a token. */
  public ClientBuilder credentials(CallCredentials credentials) {
    this.callCredentials = credentials;
    return this;
  }

  /**
   * Adds an interceptor of all calls, for example for tracing. Interceptors run in the order they
   * were added.
   */
  public ClientBuilder interceptor(ClientInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  /** Sets the executor of listeners and asynchronous stages. Default: the common pool. */
  public ClientBuilder callbacks(Executor callbacks) {
    this.callbacks = callbacks;
    return this;
  }

  /** Sets the receiver of the client's events, for metrics. Default: none. */
  public ClientBuilder events(ClientEvents events) {
    this.events = new GuardedEvents(events);
    return this;
  }

  ClientBuilder names(KnownNodes.Names names) {
    this.names = names;
    return this;
  }

  ClientBuilder nanoClock(LongSupplier clock) {
    this.nanoClock = clock;
    return this;
  }

  /**
   * Builds the client. It returns at once; the first request connects to a node.
   *
   * @throws IllegalArgumentException if a setting is out of bounds
   */
  public HoldfastClient connect() {
    return new HoldfastClient(
        new ClientSettings(
            endpoints,
            clientId,
            ttl,
            answerWithin,
            channelCredentials,
            callCredentials,
            interceptors,
            authority,
            callbacks,
            events,
            nanoClock,
            names));
  }
}
