package io.holdfast.bench.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A node as a process of its own, started as a user starts it. Its output goes to a file. */
public final class NodeProcess {

  /** Options of a JVM for a node that has little to hold. */
  static final List<String> SMALL = List.of("-Xmx256m");

  /** The property with the options that the start script gives each node's JVM. */
  public static final String JVM = "node.jvm";

  private static final int TAIL_LINES = 12;
  private static final int TAIL_COLUMNS = 160;

  private final Process process;
  private final Path log;

  private NodeProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts one.
   *
   * @param folder of this node; its data outlives the process
   * @param start the number of the start of this node: each has a log file of its own
   * @param jvm options that say how much memory it takes
   */
  static NodeProcess start(
      Path folder, int start, NodePlace place, String members, List<String> jvm) {
    List<String> command = new ArrayList<>();
    if (!place.namespace().isEmpty()) {
      command.addAll(List.of("ip", "netns", "exec", place.namespace()));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvm);
    command.addAll(jvm());
    command.add("-Dlogback.configurationFile=logback.xml");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("io.holdfast.server.Main");
    Path log = folder.resolve("node-" + start + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.to(log.toFile()));
    builder.environment().putAll(place.environment());
    builder.environment().put("HOLDFAST_DATA_DIR", folder.resolve("data").toString());
    builder.environment().put("HOLDFAST_RAFT_MEMBERS", members);
    try {
      Files.createDirectories(folder);
      return new NodeProcess(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The options that the start script gives each node's JVM. */
  public static List<String> jvm() {
    return Pattern.compile(" ")
        .splitAsStream(System.getProperty(JVM, ""))
        .filter(o -> !o.isEmpty())
        .toList();
  }

  /** The number that the system knows it by. */
  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  boolean isReady() {
    return log().contains("Ready.");
  }

  /** Sends kill -9, and says when. */
  public long kill() {
    long at = System.nanoTime();
    process.destroyForcibly();
    return at;
  }

  /** Sends SIGTERM, and says when. */
  long terminate() {
    long at = System.nanoTime();
    process.destroy();
    return at;
  }

  /** Sends a signal by name. */
  void signal(String name) {
    Shell.run("kill", "-" + name, Long.toString(process.pid()));
  }

  /** The exit code, if the process ends in that time. */
  public OptionalInt awaitEnd(long withinMs) {
    try {
      return process.waitFor(withinMs, TimeUnit.MILLISECONDS)
          ? OptionalInt.of(process.exitValue())
          : OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** The output of the process so far. */
  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies its output so far. */
  public void copyLog(Path to) throws IOException {
    Files.copy(log, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The number of bytes of output so far. */
  public long logBytes() {
    try {
      return Files.size(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last lines that it said. */
  public String tail() {
    List<String> lines = log().lines().toList();
    return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
        .map(line -> line.substring(0, Math.min(TAIL_COLUMNS, line.length())))
        .collect(Collectors.joining("\n"));
  }
}
