package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.typed.Cluster;
import io.holdfast.service.HoldfastService;
import io.holdfast.service.LockGrant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A service as a process of its own. It takes a lock, and holds it for as long as it can. */
final class ServiceProcess implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final Pattern HOLDS = Pattern.compile("holds (\\d+) at (\\S+)");

  private final Process process;
  private final Path out;

  private ServiceProcess(Process process, Path out) {
    this.process = process;
    this.out = out;
  }

  static ServiceProcess start(Path folder, List<String> contacts, String key, Duration ttl) {
    Path out = folder.resolve("service.log");
    try {
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx128m",
                  "-XX:TieredStopAtLevel=1"));
      command.addAll(ClassArchive.options());
      command.addAll(
          List.of(ServiceProcess.class.getName(), String.join(",", contacts), key, ttl.toString()));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(out.toFile()))
              .start();
      return new ServiceProcess(process, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it holds the lock, and returns where its actors are. */
  String awaitHolding() {
    String output =
        eventually(
            "the service holds the lock",
            WITHIN,
            this::output,
            text -> HOLDS.matcher(text).find() || !process.isAlive());
    Matcher holds = HOLDS.matcher(output);
    if (!holds.find()) {
      throw new AssertionError(output);
    }
    return holds.group(2);
  }

  String output() {
    try {
      return Files.readString(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** Waits until it has ended by itself, and returns its exit code. */
  int awaitEnd() {
    try {
      if (!process.waitFor(WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("it still runs: " + output());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  public static void main(String[] args) {
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(),
            HoldfastService.SYSTEM,
            HoldfastService.setup(ServiceUnderTest.config(List.of(args[0]))));
    HoldfastService holdfast = ServiceUnderTest.get(HoldfastService.join(system));
    LockGrant grant =
        ServiceUnderTest.get(
                holdfast.lock(args[1]).lock(Duration.parse(args[2]), Duration.ofSeconds(30)))
            .orElseThrow();
    var unused = grant.lost().thenAccept(reason -> System.out.println("lost: " + reason));
    var unusedToo = holdfast.ended().thenAccept(reason -> System.out.println("ended: " + reason));
    System.out.println(
        "holds " + grant.token().value() + " at " + Cluster.get(system).selfMember().address());
    ServiceUnderTest.get(
        system.getWhenTerminated().toCompletableFuture().orTimeout(10, TimeUnit.MINUTES));
    System.exit(3);
  }
}
