package io.holdfast.bench.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.bench.Bench;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real nodes: one is killed, frozen or cut off for real, once each. */
class FaultsProof {

  @TempDir Path directory;

  @Test
  void others_take_over_the_locks_of_a_node_that_was_killed() {
    assertHolds("fail-over", "--rounds", "1", "--kill", "leader");
  }

  @Test
  void a_node_that_was_frozen_says_nothing_untrue_and_leaves() {
    assertHolds("freeze", "--seconds", "5", "--freeze", "neither");
  }

  @Test
  void a_minority_refuses_and_the_rest_goes_on() {
    assumeTrue(Network.canMake(), "needs root and ip, to make network namespaces");
    assertHolds("partitions", "--seconds", "5", "--cuts", "follower");
  }

  @Test
  void a_node_that_hears_nothing_keeps_nobody_waiting() {
    assumeTrue(Network.canMake(), "needs root and ip, to make network namespaces");
    assertHolds("partitions", "--seconds", "5", "--cuts", "deafer-leader");
  }

  private void assertHolds(String... arguments) {
    StringWriter out = new StringWriter();
    String[] line =
        Stream.concat(Stream.of(arguments), Stream.of("--directory", directory.toString()))
            .toArray(String[]::new);
    int code = Bench.commandLine().setOut(new PrintWriter(out)).execute(line);
    assertEquals(0, code, out::toString);
  }
}
