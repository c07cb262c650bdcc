package io.holdfast.cli;

import io.holdfast.client.ClientBuilder;
import io.holdfast.client.HoldfastClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of all commands that say how to connect, and as which client. The addresses come from
 * the subclasses.
 */
abstract class ConnectionOptions {

  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration ALONE_WITHIN = Duration.ofSeconds(2);
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  @Option(
      names = "--client-id",
      paramLabel = "NAME",
      defaultValue = "${env:HOLDFAST_CLIENT_ID:-}",
      description =
          "What others see as the client. Default: HOLDFAST_CLIENT_ID, or else user, host and"
              + " process.")
  private String clientId = "";

  @Mixin private final TlsOption tls = new TlsOption();

  /** The addresses that were given, of one kind of port. */
  abstract List<String> endpoints();

  /** The one client of a command, for short calls one after the other. */
  final HoldfastClient open() {
    return builder(endpoints(), ANSWER_WITHIN).interceptor(new QuietEnd()).connect();
  }

  /** A client for what lasts, or one of several. */
  final HoldfastClient openLasting() {
    return builder(endpoints(), ANSWER_WITHIN).connect();
  }

  /** A client of one node alone, which is not waited for as long. */
  final HoldfastClient openAlone(String endpoint) {
    return builder(List.of(endpoint), ALONE_WITHIN).connect();
  }

  /** A client that asks this node first. */
  final HoldfastClient openFirst(String endpoint) {
    Set<String> nodes = new LinkedHashSet<>(List.of(endpoint));
    nodes.addAll(endpoints());
    return builder(nodes, ANSWER_WITHIN).connect();
  }

  private ClientBuilder builder(Collection<String> nodes, Duration within) {
    ClientBuilder builder =
        HoldfastClient.builder()
            .answerWithin(within)
            .clientId(clientId.isEmpty() ? ownName() : clientId);
    nodes.forEach(builder::endpoint);
    tls.secure(builder);
    return builder;
  }

  /* Of its own for each process: what is remembered of a client's requests has a bound. */
  private static String ownName() {
    return who() + "/" + ProcessHandle.current().pid();
  }

  /** The user and the host that call, as this machine names them. */
  static String who() {
    String user = System.getProperty("user.name", "somebody");
    return user + "@" + host();
  }

  private static String host() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      String named = System.getenv("HOSTNAME");
      return named == null ? "somewhere" : named;
    }
  }
}
