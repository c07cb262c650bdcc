package io.holdfast.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.holdfast.config.member.InvalidSettings;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.config.member.SessionSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings: their defaults are good, and all that is wrong with them is said at once. */
class HoldfastSettingsTest {

  @Test
  void the_defaults_are_good_and_every_key_of_the_reference_is_read() throws InvalidSettings {
    HoldfastSettings settings = HoldfastSettings.from(ConfigFactory.defaultReference());
    assertEquals(new ListenAddress("127.0.0.1", 7400), settings.grpc());
    assertEquals(48, settings.locks().shards());
    assertEquals(Duration.ofSeconds(10), settings.joinWithin());
    assertEquals(new ListenAddress("127.0.0.1", 7405), settings.admin());
    ListenAddress raft = new ListenAddress("127.0.0.1", 7403);
    assertEquals(new RaftSettings(raft, List.of(), RaftProfile.LOCAL, null), settings.raft());
    assertEquals(
        new SessionSettings(Duration.ofSeconds(2), Duration.ofMillis(400)), settings.session());
  }

  @Test
  void all_faults_are_said_at_once() {
    List<String> faults =
        faults(
            """
            holdfast {
              data-dir = " "
              grpc.port = 70000
              management.port = many
              cluster.host = ""
              locks.max-waiters = 0
              locks.idle-after = 10ms
              locks.sharts = 48
              watch.history.max-bytes = 1KiB
            }
            """);
    assertEquals(8, faults.size(), String.join("\n", faults));
    assertContains(faults, "holdfast.data-dir [ ] is not a path");
    assertContains(faults, "holdfast.grpc.port [70000] is not in [0, 65535]");
    assertContains(faults, "holdfast.management.port cannot be read");
    assertContains(faults, "holdfast.cluster.host [] is not a host name or address");
    assertContains(faults, "holdfast.locks.max-waiters [0] is not in [1, 10000]");
    assertContains(faults, "holdfast.locks.idle-after [10ms] is not in [1000ms, 86400000ms]");
    assertContains(faults, "holdfast.locks.sharts is no setting");
    assertContains(
        faults, "holdfast.watch.history.max-bytes [1KiB] is not in [1048576, 17179869184] bytes");
    faults.forEach(fault -> assertEquals(1, fault.lines().count(), fault));
  }

  @Test
  void a_number_that_is_no_int_is_out_of_bounds() {
    assertContains(
        faults("holdfast.grpc.port = 9999999999"),
        "holdfast.grpc.port [9999999999] is not in [0, 65535]");
  }

  @Test
  void a_fraction_is_not_cut_in_silence() {
    assertContains(
        faults("holdfast.locks.shards = 1.5"), "holdfast.locks.shards [1.5] is not a whole number");
  }

  @Test
  void initial_members_are_a_list_or_a_text_with_commas() throws InvalidSettings {
    List<InitialMember> members =
        List.of(
            new InitialMember(new ListenAddress("127.0.0.1", 7403), false),
            new InitialMember(new ListenAddress("::1", 7403), false),
            new InitialMember(new ListenAddress("third.example", 1), true));
    assertEquals(
        members,
        settings("raft.members = [\"127.0.0.1:7403\", \"[::1]:7403\", \"third.example:1/witness\"]")
            .raft()
            .members());
    assertEquals(
        members,
        settings("raft.members = \" 127.0.0.1:7403, [::1]:7403 ,third.example:1/witness,\"")
            .raft()
            .members());
    assertEquals(List.of(), settings("raft.members = \"\"").raft().members());
    members.forEach(
        member ->
            assertEquals(
                Optional.of(member), InitialMembers.parse(member.toString()), member::toString));
  }

  @Test
  void each_initial_member_that_is_none_is_a_fault() {
    for (String wrong :
        List.of(
            "host",
            "host:0",
            "host:70000",
            "a b:1",
            "::1:7403",
            "host:1/learner",
            "[x]:1",
            "m\u00fcller:1")) {
      assertContains(
          faults("holdfast.raft.members = \"127.0.0.1:7403,%s\"".formatted(wrong)),
          "holdfast.raft.members [" + wrong + "] is not host:port");
    }
    assertEquals(2, faults("holdfast.raft.members = \"127.0.0.1:7403,a,b\"").size());
    assertContains(faults("holdfast.raft.members = 7"), "holdfast.raft.members cannot be read");
  }

  @Test
  void initial_members_that_make_no_cluster_are_a_fault() {
    assertContains(
        faults("holdfast.raft.members = \"127.0.0.1:7403,a:1,a:1/witness\""),
        "holdfast.raft.members has an address twice: [127.0.0.1:7403, a:1, a:1]");
    assertContains(
        faults("holdfast.raft.members = \"127.0.0.1:7403/witness\""),
        "holdfast.raft.members has only witnesses");
    assertContains(
        faults("holdfast.raft { port = 0, members = \"127.0.0.1:7403\" }"),
        "holdfast.raft.members names members, so holdfast.raft.port cannot be [0]");
    String many =
        IntStream.range(7403, 7403 + InitialMembers.MAX + 1)
            .mapToObj(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    assertContains(
        faults("holdfast.raft.members = \"" + many + "\""),
        "has [33] members, the maximum is [32]");
  }

  @Test
  void a_choice_is_one_of_few_words() throws InvalidSettings {
    assertEquals(RaftProfile.WAN, settings("raft.profile = wan").raft().profile());
    assertContains(
        faults("holdfast.raft.profile = LAN"),
        "holdfast.raft.profile [LAN] is not one of [local, wan]");
  }

  @Test
  void tls_needs_its_files_only_when_it_is_on() throws InvalidSettings {
    assertNull(settings("raft.tls.certificate = a").raft().tls());
    List<String> faults = faults("holdfast.raft.tls { enabled = on, certificate = a }");
    assertEquals(2, faults.size());
    assertContains(faults, "holdfast.raft.tls.private-key [] is not a path");
    assertContains(faults, "holdfast.raft.tls.authorities [] is not a path");
    TlsSettings tls =
        settings("raft.tls { enabled = on, certificate = a, private-key = b, authorities = /c }")
            .raft()
            .tls();
    assertEquals(
        new TlsSettings(
            Path.of("a").toAbsolutePath(), Path.of("b").toAbsolutePath(), Path.of("/c"), true),
        tls);
  }

  @Test
  void tls_with_clients_may_do_without_their_authorities() throws InvalidSettings {
    assertNull(settings("grpc.tls.certificate = a").grpcTls());
    List<String> faults = faults("holdfast.grpc.tls { enabled = on, client-authorities = a }");
    assertEquals(2, faults.size());
    assertContains(faults, "holdfast.grpc.tls.certificate [] is not a path");
    assertContains(faults, "holdfast.grpc.tls.private-key [] is not a path");
    assertEquals(
        new ServerTlsSettings(Path.of("/a"), Path.of("/b"), null),
        settings("grpc.tls { enabled = on, certificate = /a, private-key = /b }").grpcTls());
    assertEquals(
        new ServerTlsSettings(Path.of("/a"), Path.of("/b"), Path.of("/c")),
        settings(
                "grpc.tls { enabled = on, certificate = /a, private-key = /b,"
                    + " client-authorities = /c }")
            .grpcTls());
  }

  @Test
  void the_operator_s_file_goes_before_the_defaults(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("node.conf"), "holdfast.grpc.port = 17400");
    Config config = ConfigurationFile.load(Optional.of(file));
    assertEquals(17400, HoldfastSettings.from(config).grpc().port());
    assertEquals("cluster", config.getString("akka.actor.provider"));
  }

  @Test
  void a_missing_or_unreadable_file_is_one_clear_fault(@TempDir Path folder) throws Exception {
    Path missing = folder.resolve("missing.conf");
    assertEquals(
        List.of("the configuration file [" + missing + "] cannot be read"), loadFaults(missing));
    Path broken = Files.writeString(folder.resolve("broken.conf"), "holdfast { grpc.port = \n");
    List<String> faults = loadFaults(broken);
    assertEquals(1, faults.size());
    assertEquals(1, faults.get(0).lines().count(), faults.get(0));
    assertContains(faults, "broken.conf");
  }

  private static List<String> loadFaults(Path file) {
    return assertThrows(InvalidSettings.class, () -> ConfigurationFile.load(Optional.of(file)))
        .faults();
  }

  private static HoldfastSettings settings(String text) throws InvalidSettings {
    return HoldfastSettings.from(
        ConfigFactory.parseString("holdfast { " + text + " }")
            .withFallback(ConfigFactory.defaultReference()));
  }

  private static List<String> faults(String text) {
    Config config = ConfigFactory.parseString(text).withFallback(ConfigFactory.defaultReference());
    return assertThrows(InvalidSettings.class, () -> HoldfastSettings.from(config)).faults();
  }

  private static void assertContains(List<String> faults, String wanted) {
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains(wanted)), String.join("\n", faults));
  }
}
