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

  /** The default time that a request may take beyond the time it waits in line. */
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
   * A node, any of them; others are learned from it. Several let the client begin while one is
   * away; so does a name that stands for several addresses.
   *
   * @param endpoint {@code host:port}, or {@code [address]:port} for IPv6
   */
  public ClientBuilder endpoint(String endpoint) {
    endpoints.add(Endpoint.parse(endpoint));
    return this;
  }

  /** The name that others see as the client of a lock. Public. Default: a random one. */
  public ClientBuilder clientId(String clientId) {
    this.clientId = clientId;
    return this;
  }

  /**
   * The lease of the client's session, on which its locks live: 1 s to 10 min. Shorter frees the
   * locks of a dead client sooner; longer bears longer pauses and failures. Default: {@link
   * #DEFAULT_TTL}.
   */
  public ClientBuilder ttl(Duration ttl) {
    this.ttl = ttl;
    return this;
  }

  /**
   * The time for which a request is tried, at all nodes, before it fails: 100 ms to 1 min. Default:
   * {@link #DEFAULT_ANSWER_WITHIN}, which outlasts the failure of a node.
   */
  public ClientBuilder answerWithin(Duration answerWithin) {
    this.answerWithin = answerWithin;
    return this;
  }

  /**
   * The security of connections: {@code TlsChannelCredentials} of gRPC, with certificates to trust
   * and, for mutual TLS, one to show. Default: clear text.
   */
  public ClientBuilder transport(ChannelCredentials credentials) {
    this.channelCredentials = credentials;
    return this;
  }

  /** The name that the nodes' certificates have, if it is not that of the endpoint. */
  public ClientBuilder authority(String authority) {
    this.authority = authority;
    return this;
  }

  /** The credentials that each call carries, a token for example. */
  public ClientBuilder credentials(CallCredentials credentials) {
    this.callCredentials = credentials;
    return this;
  }

  /** Sees all calls; for tracing, for example. Several are called in the order they were given. */
  public ClientBuilder interceptor(ClientInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  /** Runs listeners and asynchronous stages. Default: the common pool. */
  public ClientBuilder callbacks(Executor callbacks) {
    this.callbacks = callbacks;
    return this;
  }

  /** Receives the client's events, to measure them. Default: nobody does. */
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
   * The client. Returns at once: the first request finds out whether a node can be reached.
   *
   * @throws IllegalArgumentException if something is out of its bound
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
