package holdfast.bench.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import holdfast.bench.Bench;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Real processes, killed and unplugged for real, a few times each. */
class TormentTest {

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

  private void assertHolds(String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out));
    String[] all = Stream.concat(Stream.of("raft"), Stream.of(arguments)).toArray(String[]::new);
    List<String> line = Stream.concat(Stream.of(all), directoryOption()).toList();
    assertEquals(0, bench.execute(line.toArray(String[]::new)), out::toString);
  }

  private Stream<String> directoryOption() {
    return Stream.of("--directory", directory.toString());
  }

  /** Whether this machine lets the test mount a file: not in every container does root. */
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
