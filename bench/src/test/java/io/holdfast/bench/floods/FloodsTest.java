package io.holdfast.bench.floods;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bench.Bench;
import io.holdfast.bench.cluster.NodePlace;
import io.holdfast.bench.cluster.Shell;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The attacks for a moment: a node bears them, and one that does not is told. */
class FloodsTest {

  private static final String BORNE =
      "continuation,settings,ping,hpack-error,reset-same-key,gzip-stream,half-open-bodies,"
          + "slow-reader-lists,management-http2,raft-term,raft-large-frame";

  @TempDir Path directory;

  @Test
  void a_node_bears_attacks_and_the_bystander_keeps_its_lock() {
    StringWriter out = new StringWriter();
    assertEquals(0, run(out, "--seconds", "1", "--attacks", BORNE), out::toString);
  }

  @Test
  void a_node_that_ends_under_an_attack_is_told() throws IOException {
    Attack kill =
        Attack.plain(
            "kill", "ends it", siege -> Shell.run("kill", "-9", Long.toString(siege.pid())));
    try (Ground ground = Ground.start(directory, 1, /* secured= */ false)) {
      Outcome outcome = Assault.run(ground, kill, 1, 10_000);
      assertEquals("ended 137", outcome.node());
      assertFalse(outcome.holds(), outcome::line);
    }
  }

  @Test
  void an_attack_that_nobody_knows_is_refused_by_name() {
    StringWriter out = new StringWriter();
    assertEquals(2, run(out, "--attacks", "tickle"), out::toString);
    assertTrue(out.toString().contains("--attacks [tickle] is none of [control, "), out::toString);
  }

  @Test
  void each_attack_has_a_name_of_its_own() {
    List<String> names = Floods.all().stream().map(Attack::name).toList();
    assertEquals(names.stream().distinct().toList(), names);
  }

  @Test
  void a_control_comes_with_the_attacks_that_are_named() {
    assertEquals(List.of("control", "ping"), chosen("ping"));
    assertEquals(List.of("tls-control", "tls-garbage"), chosen("tls-garbage"));
    assertEquals(
        List.of("control", "ping", "tls-control", "tls-garbage"), chosen("tls-garbage", "ping"));
    assertEquals(Floods.all().size(), chosen().size());
  }

  private static List<String> chosen(String... names) {
    return Floods.chosen(List.of(names)).stream().map(Attack::name).toList();
  }

  @Test
  void an_attacker_comes_from_its_own_address_and_does_its_part() throws IOException {
    InetAddress own = InetAddress.getByAddress(new byte[] {127, 1, 2, 3});
    try (ServerSocket server =
        new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
      int port = server.getLocalPort();
      NodePlace place = new NodePlace("127.0.0.1", port, port, port, port, port, "");
      try (Siege siege = new Siege(place, 1, own, 10, 60_000, new Tally())) {
        var first = siege.connect(port);
        assertEquals(own, server.accept().getInetAddress());
        var second = siege.begin(port);
        assertEquals(own, server.accept().getInetAddress());
        assertTrue(first.isOpen());
        assertTrue(second.isOpen());
        assertEquals(500, siege.part(5_000));
      }
    }
  }

  @Test
  void each_loss_is_one_that_does_not_hold() {
    assertTrue(outcome("", "", 0, 0).holds());
    assertFalse(outcome("hangs", "", 0, 0).holds());
    assertFalse(outcome("", "LEASE_ENDED", 0, 0).holds());
    assertFalse(outcome("", "", -1, 0).holds());
    assertFalse(outcome("", "", 0, 2 << 20).holds());
  }

  private static Outcome outcome(String node, String loss, long backMs, long logBytes) {
    return new Outcome("some", node, loss, 1, 0, "-", "-", backMs, logBytes, "");
  }

  private int run(StringWriter out, String... arguments) {
    String[] line = new String[arguments.length + 3];
    line[0] = "floods";
    line[1] = "--directory";
    line[2] = directory.toString();
    System.arraycopy(arguments, 0, line, 3, arguments.length);
    PrintWriter printed = new PrintWriter(out);
    return Bench.commandLine().setOut(printed).setErr(printed).execute(line);
  }
}
