package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.client.fixtures.Project;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The start script, as it is staged: with an archive of classes, without, and with a wrong one. */
@Timeout(180)
@Tag("slow")
final class LauncherTest {

  private static final int RUNS = 7;

  @TempDir private static Path folder;
  private static Path home;

  @BeforeAll
  static void stage() throws Exception {
    home = folder.resolve("home");
    Path bin = Files.createDirectories(home.resolve("bin"));
    Path lib = Files.createDirectories(home.resolve("lib"));
    copy(Project.file("cli/src/templates/bash-template"), bin.resolve("holdfast"));
    copy(Project.file("cli/src/universal/bin/holdfast-archive"), bin.resolve("holdfast-archive"));
    String classpath = System.getProperty("runtime.classpath", "");
    int number = 0;
    for (String entry : classpath.split(File.pathSeparator, -1)) {
      Path from = Path.of(entry);
      Path jar = lib.resolve("%03d.jar".formatted(number++));
      if (Files.isDirectory(from)) {
        assertEquals(
            0,
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(System.out, System.err, "cf", jar.toString(), "-C", entry, "."));
      } else if (Files.exists(from)) {
        copy(from, jar);
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    assertTrue(to.toFile().setExecutable(true));
  }

  @Test
  void the_archive_speeds_up_the_start_and_is_not_needed() throws Exception {
    Ran made = run(home, "holdfast-archive");
    assertEquals(0, made.code(), made::toString);
    Path archive = home.resolve("lib/holdfast.jsa");
    Path aside = home.resolve("aside");
    Path madeFor = home.resolve("lib/holdfast.jsa.for");
    assertTrue(Files.size(archive) > 1 << 20);
    List<Long> with = new ArrayList<>();
    List<Long> without = new ArrayList<>();
    try (FakeNode node = new FakeNode()) {
      for (int i = 0; i < RUNS; i++) { // one after the other: the machine may be busy now or then
        with.add(get(node));
        Files.move(madeFor, aside);
        without.add(get(node));
        Files.move(aside, madeFor);
      }
    }
    double ratio = (double) median(with) / median(without);
    System.out.println(
        "With its archive the command takes %.0f %% of the time: %d ms, not %d ms"
            .formatted(100 * ratio, median(with) / 1_000_000, median(without) / 1_000_000));
    assertTrue(ratio < 0.9, () -> "with [" + with + "] without [" + without + "]");

    Path moved = folder.resolve("moved");
    Files.move(home, moved);
    assertWorks(moved); // the archive is for another place
    Files.move(moved, home);
    Files.delete(archive);
    Files.writeString(archive, "this is no archive");
    assertWorks(home);
    Files.delete(archive);
    assertWorks(home);
  }

  private static long get(FakeNode node) throws Exception {
    Ran ran = run(home, "holdfast", "get", "k", "--endpoint", node.endpoint());
    assertEquals("k  free  waiting: 0", ran.out().strip());
    return ran.nanos();
  }

  private static void assertWorks(Path where) throws Exception {
    Ran ran = run(where, "holdfast", "--version");
    assertEquals(0, ran.code());
    assertEquals("holdfast from source", ran.out().strip());
  }

  private record Ran(int code, String out, long nanos) {}

  private static Ran run(Path where, String... command) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(command));
    all.set(0, where.resolve("bin").resolve(command[0]).toString());
    Path out = folder.resolve("out.log");
    ProcessBuilder builder =
        new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    long begun = System.nanoTime();
    Process process = builder.start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return new Ran(process.exitValue(), Files.readString(out), System.nanoTime() - begun);
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
