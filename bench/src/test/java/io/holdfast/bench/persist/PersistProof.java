package io.holdfast.bench.persist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The benchmark for a moment: what it says of speed is not looked at. */
class PersistProof {

  @TempDir Path directory;

  @Test
  void actors_recover_all_that_was_confirmed_to_them() {
    assertHolds();
  }

  @Test
  void actors_of_a_follower_recover_all_confirmed_events() {
    assertHolds("--follower");
  }

  private void assertHolds(String... more) {
    StringWriter out = new StringWriter();
    CommandLine bench = Bench.commandLine().setOut(new PrintWriter(out));
    String line = "persist --actors 300 --in-flight 20 --seconds 1 --warm-up 2000 --directory ";
    String[] all = (line + directory + " " + String.join(" ", more)).strip().split(" ", -1);
    assertEquals(0, bench.execute(all), out::toString);
  }
}
