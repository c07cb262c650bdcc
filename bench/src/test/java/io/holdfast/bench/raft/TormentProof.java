package io.holdfast.bench.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.bench.Bench;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Real processes, killed and unplugged for real, a few times each. */
class TormentProof {

  @TempDir Path directory;

  @Test
  void nothing_acknowledged_is_lost_when_processes_are_killed() {
    assertHolds("kill-rounds", "--rounds", "4");
  }

  @Test
  void another_leads_after_the_leader_was_killed() {
    assertHolds("leader-loss", "--rounds", "2");
  }

  @Test
  void another_leads_while_the_leader_is_frozen() {
    assertHolds("leader-loss", "--rounds", "1", "--freeze");
  }

  @Test
  void a_snapshot_costs_no_election() {
    assertHolds("big-snapshot", "--entries", "50000");
  }

  @Test
  void nothing_acknowledged_is_lost_when_the_power_goes() throws IOException {
    assumeTrue(canMount(), "needs root, mount and mkfs.ext4");
    assertHolds("power-cuts", "--rounds", "2");
  }

  @Test
  void nothing_acknowledged_is_lost_with_what_no_disk_had_synced() {
    assertHolds("lost-writes", "--rounds", "1");
  }

  /** Else the test above would be blind. */
  @Test
  void a_confirmation_before_its_sync_is_found() throws IOException {
    Path classes = Files.createDirectories(directory.resolve("planted"));
    plant(
        "raft/node/Reactions",
        "    sync();\n    if (owesConfirmation) {",
        "    sendHeld(written);\n    sync();\n    if (owesConfirmation) {",
        classes);
    System.setProperty(MemberHandle.PLANTED, classes.toString());
    System.setProperty(MemberHandle.ANSWER_WITHIN, "20"); // who lost entries may never answer
    try {
      StringWriter out = new StringWriter();
      assertNotEquals(0, run(out, "lost-writes", "--rounds", "3"), out::toString);
    } finally {
      System.clearProperty(MemberHandle.PLANTED);
      System.clearProperty(MemberHandle.ANSWER_WITHIN);
    }
  }

  /** Compiles a class with a mistake in it. */
  private static void plant(String name, String original, String mistaken, Path classes)
      throws IOException {
    Path inRoot = Path.of("src/main/java/io/holdfast", name + ".java");
    Path source = Files.exists(inRoot) ? inRoot : Path.of("..").resolve(inRoot);
    String text = Files.readString(source);
    assertTrue(text.contains(original), "the place for the mistake is gone");
    Path edited = classes.resolve(source.getFileName());
    Files.writeString(edited, text.replace(original, mistaken));
    StringWriter complaints = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled =
        compiler
            .getTask(
                complaints,
                null,
                null,
                List.of(
                    "-proc:none",
                    "--release",
                    "17",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    classes.toString()),
                null,
                compiler.getStandardFileManager(null, null, null).getJavaFileObjects(edited))
            .call();
    assertTrue(compiled, complaints::toString);
  }

  private void assertHolds(String... arguments) {
    StringWriter out = new StringWriter();
    assertEquals(0, run(out, arguments), out::toString);
  }

  private int run(StringWriter out, String... arguments) {
    CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out));
    String[] all = Stream.concat(Stream.of("raft"), Stream.of(arguments)).toArray(String[]::new);
    List<String> line = Stream.concat(Stream.of(all), directoryOption()).toList();
    return bench.execute(line.toArray(String[]::new));
  }

  private Stream<String> directoryOption() {
    return Stream.of("--directory", directory.toString());
  }

  /** True if this machine lets the test mount a file: not in every container does root. */
  private boolean canMount() throws IOException {
    try {
      Path image = directory.resolve("probe");
      LoopImage probe = LoopImage.make(image, 16, directory.resolve("probe-mounted"));
      probe.close();
      Files.delete(image);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
