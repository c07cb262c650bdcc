package io.holdfast.e2e;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.NotSurelyHeld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client as a process of its own. It takes a lock, or waits for it, and then has one side effect
 * after the other, each after a look at its grant: it makes a file longer.
 */
final class HoldingProcess implements AutoCloseable {

  /** One before the check, one after it. */
  private static final int BYTES_OF_EFFECT = 2;

  private final Process process;
  private final Path effects;
  private final Path end;

  private HoldingProcess(Process process, Path effects, Path end) {
    this.process = process;
    this.effects = effects;
    this.end = end;
  }

  static HoldingProcess start(Path folder, String endpoint, String key, Duration ttl) {
    Path effects = folder.resolve("effects");
    Path end = folder.resolve("end");
    try {
      Files.deleteIfExists(effects);
      Files.deleteIfExists(end);
      List<String> command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:TieredStopAtLevel=1"));
      command.addAll(ClassArchive.options());
      command.addAll(
          List.of(
              HoldingProcess.class.getName(),
              endpoint,
              key,
              ttl.toString(),
              effects.toString(),
              end.toString()));
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(folder.resolve("holding.log").toFile()))
              .start();
      return new HoldingProcess(process, effects, end);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** The number of side effects. */
  long effects() {
    return effects.toFile().length() / BYTES_OF_EFFECT;
  }

  /** True if it is between a check of its grant and the side effect that the check allows. */
  boolean isBetweenCheckAndEffect() {
    return effects.toFile().length() % BYTES_OF_EFFECT != 0;
  }

  /** The reason why the grant was not held in the end; empty while it goes well. */
  String end() {
    try {
      return Files.exists(end) ? Files.readString(end) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().orTimeout(10, TimeUnit.SECONDS).join();
  }

  public static void main(String[] args) throws Exception {
    String endpoint = args[0];
    String key = args[1];
    Duration ttl = Duration.parse(args[2]);
    Path end = Path.of(args[4]);
    try (HoldfastClient client =
            HoldfastClient.builder().endpoint(endpoint).clientId("holding").ttl(ttl).connect();
        Grant grant = client.lock(key).acquire();
        FileChannel effects =
            FileChannel.open(
                Path.of(args[3]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        effects.write(ByteBuffer.allocate(1));
        grant.ensureHeld();
        effects.write(ByteBuffer.allocate(1));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    } catch (NotSurelyHeld e) {
      Path written = end.resolveSibling(end.getFileName() + ".new");
      Files.writeString(written, e.reason().map(Enum::name).orElse("released"));
      Files.move(written, end);
    }
  }
}
