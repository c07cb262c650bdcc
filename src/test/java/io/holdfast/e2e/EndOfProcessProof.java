package io.holdfast.e2e;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.server.NodeExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a node ends, its process is over soon, with a code that tells why. */
class EndOfProcessProof {

  private static final Duration START_WITHIN = Duration.ofSeconds(60);

  /** The bound of the watchdog is less than 20 s; the rest is for a busy machine. */
  private static final Duration OVER_WITHIN = Duration.ofSeconds(28);

  private static final int SIGKILL = 128 + 9;
  private static final String WITHOUT = "-XX:-ExitOnOutOfMemoryError";

  @TempDir private Path folder;

  @Test
  void sigterm_with_a_stuck_dispatcher_ends_by_the_watchdog() throws Exception {
    try (NodeUnderTest node = sabotaged()) {
      befall(Sabotage.Kind.STUCK_DISPATCHER);
      eventually("it serves no more", START_WITHIN, () -> isDeaf(node), deaf -> deaf);
      assertEquals(NodeExitCode.STUCK.number(), ended(node, node::terminate), node::output);
      assertTrue(node.output().contains("did not finish within 18 s"), node::output);
    }
  }

  @Test
  void a_node_that_is_stuck_in_its_stop_ends_by_the_watchdog() throws Exception {
    try (NodeUnderTest node = sabotaged()) {
      befall(Sabotage.Kind.STUCK_STOP);
      assertEquals(NodeExitCode.STUCK.number(), ended(node, node::awaitEnd), node::output);
    }
  }

  @Test
  void errors_on_all_threads_of_the_dispatcher_end_by_the_watchdog() throws Exception {
    try (NodeUnderTest node = sabotaged(WITHOUT)) {
      befall(Sabotage.Kind.FATAL_ERRORS);
      assertEquals(NodeExitCode.STUCK.number(), ended(node, node::awaitEnd), node::output);
    }
  }

  @Test
  void a_full_heap_ends_the_process_at_once() throws Exception {
    try (NodeUnderTest node = sabotaged()) {
      befall(Sabotage.Kind.FULL_HEAP);
      assertEquals(NodeExitCode.OUT_OF_MEMORY.number(), ended(node, node::awaitEnd), node::output);
    }
  }

  @Test
  void a_full_heap_ends_the_process_without_the_option_too() throws Exception {
    try (NodeUnderTest node = sabotaged(WITHOUT)) {
      befall(Sabotage.Kind.FULL_HEAP);
      int code = ended(node, node::awaitEnd);
      assertTrue(
          List.of(NodeExitCode.STUCK.number(), NodeExitCode.FATAL.number()).contains(code),
          () -> code + ": " + node.output());
    }
  }

  @Test
  void kill_9_ends_the_process() throws Exception {
    try (NodeUnderTest node = sabotaged()) {
      node.signal("KILL");
      assertEquals(SIGKILL, ended(node, node::awaitEnd));
    }
  }

  private NodeUnderTest sabotaged(String... jvm) throws IOException {
    Path file = Files.writeString(folder.resolve("node.conf"), Sabotage.configuration(trigger()));
    NodeUnderTest node =
        NodeUnderTest.started(
            folder, Map.of("HOLDFAST_CONFIG", file.toString()), List.of(), List.of(jvm));
    node.awaitServing(START_WITHIN);
    return node;
  }

  private void befall(Sabotage.Kind kind) throws IOException {
    Path written = Files.writeString(folder.resolve("sabotage.next"), kind.name());
    Files.move(written, trigger(), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path trigger() {
    return folder.resolve("sabotage");
  }

  private static boolean isDeaf(NodeUnderTest node) {
    return NodeLifeTest.statusOrNothing(node, "/alive") != 200;
  }

  private interface End {
    int code() throws Exception;
  }

  private static int ended(NodeUnderTest node, End end) throws Exception {
    long before = System.nanoTime();
    int code = end.code();
    Duration took = Duration.ofNanos(System.nanoTime() - before);
    assertTrue(took.compareTo(OVER_WITHIN) < 0, () -> "took " + took + ": " + node.output());
    return code;
  }
}
