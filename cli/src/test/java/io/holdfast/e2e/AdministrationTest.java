package io.holdfast.e2e;

import static io.holdfast.e2e.Ran.ok;
import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.Status;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.MemberRemoveRequest;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a cluster in the hands of an operator: real nodes come, vote, lead and go. */
class AdministrationTest {

  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final Pattern RAFT_MEMBERS = Pattern.compile("\"raftMembers\":\"([^\"]+)\"");
  private static final Pattern LEADER = Pattern.compile("\"leaderId\":\"(\\w+)\"");

  @TempDir private Path folder;

  @Test
  void a_node_joins_votes_and_leads_and_others_are_taken_out() throws Exception {
    try (ClusterUnderTest cluster = ClusterUnderTest.serving(folder)) {
      String nodes = String.join(",", cluster.adminEndpoints());
      awaitWell(nodes, 3);
      String token = ok(cluster.endpoint(0), "try-lock", "kept", "--ttl", "1h");

      String address = "127.0.0.1:" + freePort();
      String added = ok(nodes, "member", "add", address, "--output", "json");
      assertTrue(added.contains("\"changed\":true"), added);
      String seat = CommandLineTest.found(Pattern.compile("^\\{\"memberId\":\"(\\w+)\""), added);
      Ran early = Ran.run(nodes, "member", "promote", seat, "--wait", "0s");
      assertEquals(65, early.code(), early::toString);
      String again = ok(nodes, "member", "add", address, "--output", "json");
      assertTrue(again.startsWith("{\"memberId\":\"" + seat + "\",\"changed\":false"), again);

      Path place = Files.createDirectories(folder.resolve("node3"));
      try (NodeUnderTest fourth =
          NodeUnderTest.started(place, environment(address, added), List.of())) {
        fourth.awaitServing(WITHIN);
        nodes = nodes + "," + fourth.adminAddress();
        String learner = memberAt(ok(nodes, "member", "list", "--output", "json"), address);
        assertNotEquals(seat, learner, "a node has an id of its own");
        String listed = ok(nodes, "member", "list");
        assertTrue(Pattern.compile(learner + " +learner").matcher(listed).find(), listed);
        ok(nodes, "member", "promote", learner);
        assertTrue(ok(nodes, "member", "promote", learner).endsWith("had a vote"));
        awaitWell(nodes, 4);
        assertTrue(ok(fourth.grpcAddress(), "get", "kept").contains(token));
        assertEquals(65, Ran.run(nodes, "member", "add", address).code(), "a voter has it");

        ok(nodes, "member", "transfer", learner);
        awaitLeader(nodes, learner);
        refusedByAnotherThan(learner, fourth.grpcAddress(), cluster);

        String status = ok(nodes, "status", "--output", "json");
        String first = memberOf(status, cluster.endpoint(0));
        String second = memberOf(status, cluster.endpoint(1));
        String third = memberOf(status, cluster.endpoint(2));
        cluster.kill(0);
        ok(nodes, "member", "remove", first);
        eventually(
            "nobody misses it",
            WITHIN,
            () -> Ran.run(left(cluster, fourth), "status"),
            ran -> ran.code() == 0);
        cluster.kill(1);
        Ran unwell =
            eventually(
                "it is missed",
                WITHIN,
                () -> Ran.run(left(cluster, fourth), "status"),
                ran -> ran.out().contains("problem: voter " + second));
        assertEquals(1, unwell.code(), unwell::toString);
        Ran unsafe = Ran.run(nodes, "member", "remove", third);
        assertEquals(65, unsafe.code(), unsafe::toString);
        assertTrue(unsafe.err().contains("only [1] of [2] voters are alive"), unsafe::toString);
        ok(nodes, "member", "remove", second);

        eventually(
            "the lead moved",
            WITHIN,
            () -> Ran.run(left(cluster, fourth), "member", "transfer", learner),
            r -> r.code() == 0);
        awaitLeader(left(cluster, fourth), learner);
        ok(left(cluster, fourth), "member", "remove", third);
        assertEquals(75, cluster.awaitEnd(2), "who was taken out ends by itself");
        assertTrue(ok(fourth.grpcAddress(), "get", "kept").contains(token));
        ok(fourth.grpcAddress(), "unlock", "kept", token);
        assertEquals(65, Ran.run(fourth.adminAddress(), "member", "remove", learner).code());
        awaitWell(fourth.adminAddress(), 1);
      }
    }
  }

  /** The nodes that are there to the end, or nearly. */
  private static String left(ClusterUnderTest cluster, NodeUnderTest fourth) {
    return fourth.adminAddress() + "," + cluster.adminEndpoint(2);
  }

  private static void awaitWell(String nodes, int voters) {
    Ran ran =
        eventually(
            "all is well",
            WITHIN,
            () -> Ran.run(nodes, "status", "--output", "json"),
            status -> status.code() == 0);
    Matcher voter = Pattern.compile("\"standing\":\"voter\"").matcher(ran.out());
    assertEquals(voters, voter.results().count(), ran::toString);
    assertTrue(ran.out().contains("\"problems\":[]"), ran::toString);
  }

  private static void awaitLeader(String nodes, String member) {
    eventually(
        member + " leads",
        WITHIN,
        () -> {
          Matcher leader = LEADER.matcher(Ran.run(nodes, "status", "--output", "json").out());
          return leader.find() ? leader.group(1) : "";
        },
        member::equals);
  }

  private static void refusedByAnotherThan(
      String leader, String leaderEndpoint, ClusterUnderTest cluster) throws Exception {
    ManagedChannel channel =
        io.grpc.Grpc.newChannelBuilder(
                cluster.adminEndpoint(0), io.grpc.InsecureChannelCredentials.create())
            .build();
    try {
      StatusRuntimeException error =
          assertThrows(
              StatusRuntimeException.class,
              () ->
                  AdminServiceGrpc.newBlockingStub(channel)
                      .memberRemove(
                          MemberRemoveRequest.newBuilder()
                              .setMemberId(Long.parseUnsignedLong(leader, 16))
                              .build()));
      Status status = Objects.requireNonNull(StatusProto.fromThrowable(error));
      Refusal refusal = status.getDetails(0).unpack(Refusal.class);
      assertEquals(Reason.REASON_NOT_LEADER, refusal.getReason());
      assertEquals(leader, Long.toHexString(refusal.getLeader().getMemberId()));
      assertEquals(leaderEndpoint, refusal.getLeader().getEndpoint());
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void the_state_is_saved_whole_or_not_at_all() throws Exception {
    String nodes = String.join(",", ClusterUnderTest.shared().adminEndpoints());
    for (int i = 0; i < 3; i++) {
      ok(ClusterUnderTest.shared().endpoint(0), "try-lock", "saved/" + i, "--ttl", "1m");
    }
    Path file = folder.resolve("a.holdfast");
    String saved = ok(nodes, "snapshot", "save", file.toString(), "--output", "json");
    String inspected = ok("", "snapshot", "inspect", file.toString(), "--output", "json");
    assertEquals(saved, inspected);
    long locks =
        Long.parseLong(CommandLineTest.found(Pattern.compile("\"lockCount\":\"(\\d+)\""), saved));
    assertTrue(locks >= 3, saved);
    assertTrue(ok("", "snapshot", "inspect", file.toString()).contains("locks " + locks));
    assertEquals(74, Ran.run(nodes, "snapshot", "save", file.toString()).code(), "it is there");
    ok(nodes, "snapshot", "save", file.toString(), "--force", "--stale");
    try (var all = Files.list(folder)) {
      assertEquals(List.of(file), all.toList(), "nothing is left beside it");
    }
    damaged(file);
    Path nowhere = folder.resolve("no/such/folder");
    assertEquals(74, Ran.run(nodes, "snapshot", "save", nowhere.toString()).code());
    Path unanswered = folder.resolve("unanswered");
    assertEquals(69, Ran.run("127.0.0.1:1", "snapshot", "save", unanswered.toString()).code());
    assertFalse(Files.exists(unanswered));
  }

  @Test
  void each_port_says_what_it_is_not_for() {
    ClusterUnderTest cluster = ClusterUnderTest.shared();
    for (String[] command :
        new String[][] {
          {"status"}, {"member", "list"}, {"member", "add", "127.0.0.1:1"}, {"member", "transfer"}
        }) {
      Ran asked = Ran.run(cluster.endpoint(0), command);
      assertEquals(69, asked.code(), asked::toString);
      assertTrue(asked.err().contains("this is the clients' port"), asked::toString);
    }
    Path file = folder.resolve("refused");
    Ran saved = Ran.run(cluster.endpoint(0), "snapshot", "save", file.toString());
    assertTrue(saved.err().contains("this is the clients' port"), saved::toString);
    Ran got = Ran.run(cluster.adminEndpoint(0), "get", "k");
    assertEquals(69, got.code(), got::toString);
    assertTrue(got.err().contains("this is no clients' port"), got::toString);
  }

  @Test
  void a_member_that_does_not_lead_names_the_leader_at_once() {
    List<String> each = List.of(ClusterUnderTest.shared().adminEndpoints());
    eventually(
        "only one leads",
        WITHIN,
        () ->
            each.stream()
                .map(node -> Ran.run(node, "member", "promote", "7", "--wait", "0s"))
                .filter(ran -> ran.code() == 69)
                .filter(ran -> ran.err().contains("leads, and answers at none of ["))
                .count(),
        refused -> refused == each.size() - 1);
  }

  private void damaged(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Path other = folder.resolve("damaged");
    for (int at : new int[] {0, 9, 13, 40, bytes.length / 2, bytes.length - 41, bytes.length - 1}) {
      byte[] changed = bytes.clone();
      changed[at] ^= 1;
      Files.write(other, changed);
      Ran ran = Ran.run("", "snapshot", "inspect", other.toString());
      assertEquals(74, ran.code(), () -> "byte " + at + ": " + ran);
      Files.write(other, java.util.Arrays.copyOf(bytes, at));
      assertEquals(74, Ran.run("", "snapshot", "inspect", other.toString()).code());
    }
  }

  private static Map<String, String> environment(String address, String added) {
    return Map.of(
        "HOLDFAST_RAFT_MEMBERS",
        CommandLineTest.found(RAFT_MEMBERS, added),
        "HOLDFAST_RAFT_PORT",
        address.substring(address.indexOf(':') + 1));
  }

  private static String memberAt(String list, String address) {
    return CommandLineTest.found(
        Pattern.compile(
            "\"memberId\":\"(\\w+)\",\"standing\":\"\\w+\",\"leader\":\\w+,\"logAddress\":\""
                + address),
        list);
  }

  private static String memberOf(String status, String endpoint) {
    return CommandLineTest.found(
        Pattern.compile("\"nodeId\":\"(\\w+)\"[^}]*\"endpoint\":\"" + endpoint + "\""), status);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
