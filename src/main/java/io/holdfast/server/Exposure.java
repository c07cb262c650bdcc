package io.holdfast.server;

import akka.actor.typed.ActorSystem;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.ServerTlsSettings;
import io.holdfast.config.member.ListenAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds a node's listeners that other machines reach without TLS. At the port of administration,
 * only TLS that asks for certificates counts, since whoever reaches it may change the members. A
 * node with such listeners starts only if {@code holdfast.insecure} allows it.
 */
final class Exposure {

  private static final Logger log = LoggerFactory.getLogger("holdfast");
  private static final Duration TELL_EVERY = Duration.ofHours(1);

  private Exposure() {}

  /** The listeners, by their names in the settings. Management has nothing to protect. */
  static List<String> of(HoldfastSettings settings) {
    List<String> open = new ArrayList<>();
    add(open, "grpc", settings.grpc(), settings.grpcTls() != null);
    add(open, "admin", settings.admin(), asksForCertificates(settings.grpcTls()));
    add(open, "cluster", settings.cluster(), settings.clusterTls() != null);
    add(open, "raft", settings.raft().address(), settings.raft().tls() != null);
    return open;
  }

  private static boolean asksForCertificates(@Nullable ServerTlsSettings tls) {
    return tls != null && tls.clientAuthorities() != null;
  }

  /** Refuses to start, with a sentence for each listener, unless the settings allow it. */
  static void requireAllowed(HoldfastSettings settings) throws StartFailure {
    List<String> open = of(settings);
    if (!open.isEmpty() && !settings.insecure()) {
      throw new StartFailure(
          NodeExitCode.CONFIGURATION, open.stream().map(name -> fault(name, settings)).toList());
    }
  }

  /** Logs a warning again and again, as long as the node runs. */
  static void keepTelling(ActorSystem<?> system, HoldfastSettings settings) {
    List<String> open = of(settings);
    if (!open.isEmpty()) {
      var unused =
          system
              .scheduler()
              .scheduleAtFixedRate(
                  TELL_EVERY,
                  TELL_EVERY,
                  () -> log.warn("{} off loopback, not secured: holdfast.insecure is on", open),
                  system.executionContext());
    }
  }

  private static String fault(String name, HoldfastSettings settings) {
    String need =
        name.equals("admin")
            ? "no TLS with certificates of clients: set holdfast.grpc.tls with client-authorities"
            : "no TLS: set holdfast.%s.tls".formatted(name);
    return ("holdfast.%s.host [%s] is not on loopback, and there is %s, or holdfast.insecure = on"
            + " where the network keeps all others out")
        .formatted(name, address(name, settings).host(), need);
  }

  private static ListenAddress address(String name, HoldfastSettings settings) {
    return switch (name) {
      case "grpc" -> settings.grpc();
      case "admin" -> settings.admin();
      case "cluster" -> settings.cluster();
      default -> settings.raft().address();
    };
  }

  private static void add(List<String> open, String name, ListenAddress address, boolean isSecure) {
    InetSocketAddress resolved = new InetSocketAddress(address.host(), address.port());
    // An unknown host is a fault of its own, which is reported when the node listens there.
    if (!isSecure && !resolved.isUnresolved() && !resolved.getAddress().isLoopbackAddress()) {
      open.add(name);
    }
  }
}
