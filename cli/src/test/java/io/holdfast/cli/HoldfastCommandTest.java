package io.holdfast.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.client.fixtures.FakeNode;
import io.holdfast.v1.Answer;
import io.holdfast.v1.GetLockResponse;
import io.holdfast.v1.Holder;
import io.holdfast.v1.LockRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
@Tag("slow")
final class HoldfastCommandTest {

  private final FakeNode node = new FakeNode();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void close() {
    node.close();
  }

  /** Every command with the words that call it; none for the whole. */
  static Stream<String> commands() {
    return commands("", HoldfastCommand.commandLine());
  }

  private static Stream<String> commands(String words, CommandLine line) {
    return Stream.concat(
        Stream.of(words.strip()),
        line.getSubcommands().entrySet().stream()
            .flatMap(each -> commands(words + " " + each.getKey(), each.getValue())));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_has_examples_and_every_exit_code(String command) {
    String[] arguments = (command + " --help").strip().split(" ");
    assertEquals(0, line().execute(arguments));
    assertTrue(out.toString().contains("Example"), out::toString);
    for (ExitCode code : ExitCode.values()) {
      assertTrue(
          out.toString().lines().anyMatch(line -> line.strip().startsWith(code.number() + " ")),
          () -> code + " is missing in: " + out);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "look k",
        "lock",
        "lock k --ttl 10",
        "lock k --ttl 1d",
        "lock k --timeout -1s",
        "lock k --timeout 25h",
        "lock k ls -l",
        "unlock k",
        "unlock k token",
        "get k --output xml",
        "get k --endpoint nowhere",
        "get k --tls-cert c.pem --tls-ca a.pem",
        "get k --tls-name n",
        "list --limit 0",
        "lease",
        "lease grant --ttl x",
        "lease revoke",
        "watch",
        "watch k --prefix p",
        "watch k --from -1",
        "lock k --on-loss pray -- true",
        "force-unlock k --any --token 1 --reason r",
        "force-unlock k --any --reason"
      })
  void arguments_without_sense_are_told_in_one_line(String arguments) {
    String[] all = arguments.isEmpty() ? new String[0] : arguments.split(" ");
    assertEquals(ExitCode.USAGE.number(), line().execute(all));
    assertOneLine();
  }

  @Test
  void a_free_lock_is_taken_and_stays_held_until_it_is_unlocked() {
    assertEquals(0, run("try-lock", "k", "--ttl", "1m"));
    assertEquals("1", out.toString().strip());
    assertTrue(node.isHeld("k"));

    assertEquals(ExitCode.NOT_HELD.number(), run("unlock", "k", "7"));
    assertOneLine();
    assertTrue(node.isHeld("k"));

    assertEquals(0, run("unlock", "k", "1"));
    assertFalse(node.isHeld("k"));
  }

  @Test
  void a_word_that_begins_with_an_at_sign_reads_no_file(@TempDir Path folder) throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "from-the-file");
    assertEquals(0, run("try-lock", "@" + secret, "--ttl", "1m"));
    assertTrue(node.isHeld("@" + secret), "the word itself is the key");
    Path seen = folder.resolve("seen");
    String script = "echo \"$1\" > " + seen;
    assertEquals(0, run("lock", "k", "--", "sh", "-c", script, "sh", "@" + secret));
    assertEquals("@" + secret, Files.readString(seen).strip());
  }

  @Test
  void a_lock_of_others_is_not_taken() {
    node.hold("k");
    assertEquals(ExitCode.NOT_ACQUIRED.number(), run("try-lock", "k"));
    assertEquals("", out.toString());
    assertOneLine();
    assertEquals(
        ExitCode.NOT_ACQUIRED.number(), run("lock", "k", "--timeout", "0s", "--", "false"));
  }

  @Test
  void a_command_runs_under_the_lock_and_its_exit_code_is_passed_on(@TempDir Path folder)
      throws IOException {
    Path seen = folder.resolve("seen");
    String script = "echo \"$HOLDFAST_KEY $HOLDFAST_TOKEN\" > " + seen + "; exit 7";
    assertEquals(7, run("lock", "k", "--ttl", "1m", "--", "sh", "-c", script));
    assertEquals("k 1", Files.readString(seen).strip());
    assertEquals("", err.toString());
    assertFalse(node.isHeld("k"));
  }

  @Test
  void a_lock_is_renewed_while_the_command_runs() {
    assertEquals(0, run("lock", "k", "--ttl", "1s", "--", "sleep", "2.5"));
    assertEquals("", err.toString());
  }

  @Test
  void a_lock_that_is_lost_while_the_command_runs_is_warned_of(@TempDir Path folder)
      throws IOException {
    Path begun = folder.resolve("begun");
    String script = "touch " + begun + "; sleep 1";
    Thread operator = new Thread(() -> forceOnce(begun));
    operator.start();
    assertEquals(
        ExitCode.NOT_HELD.number(), run("lock", "k", "--ttl", "300ms", "--", "sh", "-c", script));
    assertTrue(err.toString().contains("lock [k] was lost while the command runs"), err::toString);
  }

  private void forceOnce(Path begun) {
    while (!Files.exists(begun)) {
      Thread.onSpinWait();
    }
    node.force("k");
  }

  @Test
  void a_command_that_cannot_be_started_leaves_no_lock() {
    assertEquals(ExitCode.CANNOT_RUN.number(), run("lock", "k", "--", "/no/such/command"));
    assertOneLine();
    assertFalse(node.isHeld("k"));
  }

  @Test
  void without_a_command_the_lock_is_held_until_the_end_of_input() {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(new byte[0]));
    try {
      assertEquals(0, run("lock", "k"));
    } finally {
      System.setIn(before);
    }
    assertEquals("1", out.toString().strip());
    assertFalse(node.isHeld("k"));
  }

  @Test
  void a_holder_is_shown_to_people_and_to_programs() {
    assertEquals(0, run("get", "k"));
    assertEquals("k  free  waiting: 0", out.toString().strip());

    Holder holder =
        Holder.newBuilder()
            .setFencingToken(1)
            .setClientId("somebody")
            .setHolderId("h")
            .setGrantedTtlMs(60_000)
            .build();
    node.script =
        operation ->
            Answer.newBuilder()
                .setGetLock(
                    GetLockResponse.newBuilder()
                        .setLock(LockRecord.newBuilder().addHolders(holder))
                        .setWaiterCount(2));
    out.getBuffer().setLength(0);
    assertEquals(0, run("get", "k", "--output", "json"));
    assertEquals(
        "{\"key\":\"k\",\"holders\":[{\"fencingToken\":\"1\",\"clientId\":\"somebody\","
            + "\"holderId\":\"h\",\"ttlMs\":\"60000\"}],\"waiterCount\":2}",
        out.toString().strip());

    out.getBuffer().setLength(0);
    assertEquals(0, run("get", "k"));
    List<String> table = out.toString().lines().toList();
    assertEquals("k  held  waiting: 2", table.get(0));
    assertTrue(table.get(2).startsWith("1 ") && table.get(2).contains("somebody"), out::toString);
  }

  @Test
  void a_refusal_is_told_in_one_line() {
    assertEquals(ExitCode.REFUSED.number(), run("try-lock", ""));
    assertEquals("holdfast: key is empty", err.toString().strip());
  }

  @Test
  void a_node_that_is_not_there_is_told_in_one_line() {
    node.close();
    assertEquals(ExitCode.UNAVAILABLE.number(), run("get", "k"));
    assertOneLine();
  }

  private int run(String command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(command, "--endpoint", node.endpoint()));
    all.addAll(Arrays.asList(arguments));
    return line().execute(all.toArray(String[]::new));
  }

  private CommandLine line() {
    return HoldfastCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  private void assertOneLine() {
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().startsWith("holdfast: "), err::toString);
    err.getBuffer().setLength(0);
  }
}
