package io.holdfast.e2e;

import static io.holdfast.e2e.Ran.ok;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a process: signals, terminals, and what a lost lock does to a command. */
class CommandProcessTest {

  private static final Duration WITHIN = Duration.ofSeconds(30);

  private final String nodes = String.join(",", ClusterUnderTest.shared().endpoints());

  @TempDir private Path folder;

  private record Kept(String lease, Process keeper) {}

  @Test
  void a_signal_ends_the_command_first_and_releases_the_lock_then() {
    Path begun = folder.resolve("begun");
    Path told = folder.resolve("told");
    Process holder =
        lock(
            "signalled",
            "--ttl",
            "1h",
            "--",
            "sh",
            "-c",
            "trap 'touch %s; exit 3' TERM; touch %s; while :; do sleep 0.1; done"
                .formatted(told, begun));
    eventually("it runs", WITHIN, () -> Files.exists(begun), is -> is);
    Signals.send(holder, "TERM"); // who runs the tests by nohup has them ignore HUP
    assertEquals(128 + 15, ended(holder));
    assertTrue(Files.exists(told), "the command was not told to end");
    assertTrue(ok(nodes, "get", "signalled").startsWith("signalled  free"));
  }

  @Test
  void a_signal_takes_a_waiting_process_out_of_the_queue() {
    String token = ok(nodes, "try-lock", "queued", "--ttl", "1m");
    Process waiting = lock("queued", "--ttl", "1h", "--timeout", "1h", "--", "true");
    eventually("it waits", WITHIN, () -> ok(nodes, "get", "queued"), s -> s.contains("waiting: 1"));
    Signals.send(waiting, "TERM");
    assertEquals(128 + 15, ended(waiting));
    assertTrue(ok(nodes, "get", "queued").contains("waiting: 0"));
    ok(nodes, "unlock", "queued", token);
  }

  @Test
  void a_lost_lock_kills_the_command_and_its_children() {
    Path begun = folder.resolve("begun");
    Process holder =
        lock(
            "lost",
            "--ttl",
            "9s",
            "--on-loss",
            "kill",
            "--grace",
            "200ms",
            "--",
            "sh",
            "-c",
            "trap '' TERM; sleep 1000 & echo $! > %s.new; mv %s.new %s; wait; sleep 1000"
                .formatted(begun, begun, begun));
    eventually("it runs", WITHIN, () -> Files.exists(begun), is -> is);
    long grandchild = Long.parseLong(read(begun).strip());
    ok(nodes, "force-unlock", "lost", "--any", "--reason", "test");
    assertEquals(76, ended(holder), () -> read(folder.resolve("lost.log")));
    assertTrue(read(folder.resolve("lost.log")).contains("was lost while the command runs"));
    eventually(
        "what it started has ended",
        WITHIN,
        () -> ProcessHandle.of(grandchild).map(ProcessHandle::isAlive).orElse(false),
        is -> !is);
  }

  @Test
  void a_lease_is_kept_alive_until_it_is_revoked() {
    Path out = folder.resolve("kept.log");
    Kept kept = keptAlive(out);
    assertEquals(
        "lease " + kept.lease + " has ended, and 0 grants with it",
        ok(nodes, "lease", "revoke", kept.lease));
    assertEquals(76, ended(kept.keeper));
    assertTrue(read(out).endsWith(notAlive(kept.lease)), () -> read(out));
  }

  @Test
  void headings_stand_out_on_a_terminal_only() {
    List<String> list = Ran.process("list", "no-such-prefix/", "--endpoint", nodes);
    assertTrue(onTerminal(list, "").contains("\u001b[1m"), "no colour on a terminal");
    assertFalse(onTerminal(list, "NO_COLOR=1 ").contains("\u001b["), "NO_COLOR is not heeded");
    Path out = folder.resolve("plain.log");
    assertEquals(0, ended(Ran.start(out, list)));
    assertEquals("KEY  TOKEN  WAITING  CLIENT", read(out).strip());
  }

  @Test
  void a_waiter_on_a_terminal_sees_the_holder() {
    ok(nodes, "try-lock", "watched", "--ttl", "1m", "--client-id", "somebody-else");
    List<String> lock =
        Ran.process("lock", "watched", "--timeout", "3s", "--endpoint", nodes, "--", "true");
    String shown = onTerminal(lock, "");
    assertTrue(
        shown.contains("waits for lock [watched], held by [somebody-else]; [1] wait"), shown);
    Path out = folder.resolve("quiet.log");
    lock = Ran.process("lock", "watched", "--timeout", "2s", "--endpoint", nodes, "--", "true");
    assertEquals(75, ended(Ran.start(out, lock)));
    assertEquals(1, read(out).lines().count(), () -> read(out));
  }

  @Test
  void the_completion_completes() throws Exception {
    Path script = Files.writeString(folder.resolve("c.sh"), ok("", "completion"));
    Path out = folder.resolve("completed.log");
    String ask =
        "source %s; COMP_WORDS=(holdfast lease ''); COMP_CWORD=2; _complete_holdfast; echo"
            + " ${COMPREPLY[*]}";
    assertEquals(0, ended(Ran.start(out, List.of("bash", "-c", ask.formatted(script)))));
    assertTrue(read(out).contains("grant revoke keep-alive list"), () -> read(out));
  }

  /**
   * Grants a lease and keeps it alive for more than its ttl. On a busy machine a lease may expire
   * before its keeper has started, so each attempt grants a longer one.
   */
  private Kept keptAlive(Path out) {
    for (int seconds = 4; seconds <= 64; seconds *= 4) {
      String lease = ok(nodes, "lease", "grant", "--ttl", seconds + "s");
      Process keeper =
          Ran.start(out, Ran.process("lease", "keep-alive", lease, "--endpoint", nodes));
      String shown =
          eventually(
              "the lease is kept alive for its ttl, or has expired",
              WITHIN.plusSeconds(2L * seconds),
              () -> read(out),
              text -> text.lines().count() > 4 || text.contains(notAlive(lease)));
      if (!shown.contains(notAlive(lease))) {
        return new Kept(lease, keeper);
      }
      assertEquals(76, ended(keeper));
    }
    throw new AssertionError("no lease was kept alive");
  }

  private static String notAlive(String lease) {
    return "lease [" + lease + "] is not alive\n";
  }

  private Process lock(String key, String... more) {
    List<String> arguments = new ArrayList<>(List.of("lock", key, "--endpoint", nodes));
    arguments.addAll(List.of(more));
    return Ran.start(folder.resolve(key + ".log"), Ran.process(arguments.toArray(String[]::new)));
  }

  private String onTerminal(List<String> command, String environment) {
    Path out = folder.resolve("terminal.log");
    String quoted = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    ended(
        Ran.start(
            out, List.of("script", "-qec", environment + "TERM=xterm " + quoted, "/dev/null")));
    return read(out);
  }

  private static int ended(Process process) {
    try {
      assertTrue(process.waitFor(WITHIN.toSeconds(), TimeUnit.SECONDS), "it still runs");
      return process.exitValue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
