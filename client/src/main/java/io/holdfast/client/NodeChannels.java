package io.holdfast.client;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The connections to nodes, one for each. A broken connection is replaced, so that no call waits
 * for it or for the backoff of gRPC.
 */
final class NodeChannels {

  private static final long SILENT_AFTER_SECONDS = 10; // gRPC allows no less
  private static final long DEAD_AFTER_SECONDS = 2;
  private static final int MAX_ANSWER_BYTES = 4 << 20;

  private final ClientSettings settings;
  private final Map<Endpoint, ManagedChannel> channels = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  NodeChannels(ClientSettings settings) {
    this.settings = settings;
  }

  /**
   * Returns the connection to a node. Callbacks of its calls run on its own thread: they must be
   * short.
   */
  Channel to(Endpoint node) {
    return ClientInterceptors.intercept(managed(node), settings.interceptors());
  }

  private ManagedChannel managed(Endpoint node) {
    ManagedChannel channel = channels.computeIfAbsent(node, this::connect);
    if (isClosed) {
      channel.shutdownNow();
    }
    return channel;
  }

  private ManagedChannel connect(Endpoint node) {
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilderForAddress(node.host(), node.port(), settings.channelCredentials())
            .keepAliveTime(SILENT_AFTER_SECONDS, TimeUnit.SECONDS)
            .keepAliveTimeout(DEAD_AFTER_SECONDS, TimeUnit.SECONDS)
            .maxInboundMessageSize(MAX_ANSWER_BYTES)
            .disableRetry()
            .directExecutor();
    String authority = settings.authority();
    if (authority != null) {
      builder.overrideAuthority(authority);
    } else if (!node.authority().equals(node.host())) {
      builder.overrideAuthority(node.authorityAndPort());
    }
    return builder.build();
  }

  /** Makes a connection that is backing off retry at once, with the next call. */
  void reconnect(Endpoint node) {
    ManagedChannel channel = channels.get(node);
    if (channel != null
        && channel.getState(/* requestConnection= */ false)
            == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** Discards the connection: the next call gets a new one. */
  void replace(Endpoint node) {
    ManagedChannel old = channels.remove(node);
    if (old != null) {
      old.shutdownNow();
    }
  }

  /** Ends all connections, and every call on them. */
  void close() {
    isClosed = true;
    channels.values().forEach(ManagedChannel::shutdownNow);
  }
}
