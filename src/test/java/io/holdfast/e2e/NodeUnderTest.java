package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node as a process of its own, started as a user starts it, on ports that are free. */
final class NodeUnderTest implements AutoCloseable {

  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private final Process process;
  private final Path out;
  private final Path err;

  private NodeUnderTest(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a node that keeps its data and its output below the folder, and waits until it serves.
   */
  static NodeUnderTest serving(Path folder) {
    return serving(folder, Map.of());
  }

  /** As {@link #serving(Path)}, with more that the node is told. */
  static NodeUnderTest serving(Path folder, Map<String, String> environment) {
    return serving(started(folder, environment, List.of()));
  }

  /** As {@link #serving(Path)}, with a limit on what it may open. */
  static NodeUnderTest servingWithDescriptors(Path folder, int limit) {
    return serving(
        started(
            List.of("prlimit", "--nofile=" + limit),
            folder,
            Map.of(),
            List.of(),
            ClassArchive.options()));
  }

  private static NodeUnderTest serving(NodeUnderTest node) {
    try {
      node.awaitServing(START_WITHIN);
      return node;
    } catch (AssertionError e) {
      node.close();
      throw e;
    }
  }

  void awaitServing(Duration within) {
    eventually(
        "the node serves",
        within,
        () -> process.isAlive() ? output() : "ended: " + errors(),
        text -> text.contains("Ready.") || text.startsWith("ended"));
    if (!process.isAlive()) {
      throw new AssertionError("the node did not start: " + errors());
    }
  }

  /** Starts a node, and leaves it to the caller what becomes of it. */
  static NodeUnderTest started(Path folder, Map<String, String> environment, List<String> args) {
    return started(folder, environment, args, List.of());
  }

  /** As {@link #started(Path, Map, List)}, with more options for its JVM. */
  static NodeUnderTest started(
      Path folder, Map<String, String> environment, List<String> args, List<String> jvm) {
    List<String> options = new ArrayList<>(jvm);
    options.addAll(ClassArchive.options());
    return started(List.of(), folder, environment, args, options);
  }

  /** As {@link #started(Path, Map, List)}, with other options for its classes than usual. */
  static NodeUnderTest ofClasses(Path folder, List<String> options) {
    return started(List.of(), folder, Map.of(), List.of(), options);
  }

  private static NodeUnderTest started(
      List<String> before,
      Path folder,
      Map<String, String> environment,
      List<String> args,
      List<String> jvm) {
    List<String> command = new ArrayList<>(before);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(jvm);
    command.add("-Dlogback.configurationFile=logback.xml"); // not that of the tests
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--")) // what this JDK needs to be told
        .forEach(command::add);
    command.add("io.holdfast.server.Main");
    command.addAll(args);
    Path out = folder.resolve("out.log");
    Path err = folder.resolve("err.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(Redirect.to(out.toFile()))
            .redirectError(Redirect.to(err.toFile()));
    builder.environment().put("HOLDFAST_DATA_DIR", folder.resolve("data").toString());
    for (String server : List.of("GRPC", "MANAGEMENT", "CLUSTER", "RAFT", "ADMIN")) {
      builder.environment().put("HOLDFAST_" + server + "_PORT", "0");
    }
    builder.environment().putAll(environment);
    try {
      return new NodeUnderTest(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection to it. */
  ManagedChannel connect() {
    return Grpc.newChannelBuilder(address("clients +"), InsecureChannelCredentials.create())
        .build();
  }

  /** A connection to its administration. */
  ManagedChannel connectAdmin() {
    return Grpc.newChannelBuilder(adminAddress(), InsecureChannelCredentials.create()).build();
  }

  String adminAddress() {
    return address("operators +");
  }

  String managementUrl() {
    return "http://" + address("management +http://");
  }

  String grpcAddress() {
    return address("clients +");
  }

  /** The address of its actors. */
  String clusterAddress() {
    return address("cluster +");
  }

  Path dataDirectory() {
    return out.resolveSibling("data");
  }

  /** Sends SIGTERM, and returns the exit code. */
  int terminate() {
    process.destroy();
    return awaitEnd();
  }

  /** Sends SIGKILL. */
  void kill() {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Sends a signal by its name, as STOP or CONT. */
  void signal(String name) {
    Signals.send(process, name);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int awaitEnd() {
    try {
      if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the node still runs after " + STOP_WITHIN + ": " + read(out));
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  String output() {
    return read(out);
  }

  String errors() {
    return read(err);
  }

  @Override
  public void close() {
    kill();
  }

  private String address(String before) {
    Matcher matcher = Pattern.compile(before + "([\\d.]+:\\d+)").matcher(read(out));
    if (!matcher.find()) {
      throw new AssertionError("no address behind [" + before + "] in: " + read(out));
    }
    return matcher.group(1);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
