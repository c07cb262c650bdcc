package io.holdfast.server;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.fixtures.Certificates;
import io.holdfast.raft.core.Member;
import io.holdfast.server.MembersUnderTest.Place;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A member as a node has it: by its settings, on its data directory. */
@Tag("slow")
class RaftMemberTest {

  private static final Duration WITHIN = Duration.ofSeconds(20);

  @TempDir private Path folder;
  private MembersUnderTest members = new MembersUnderTest(Path.of(""), 0);

  @AfterEach
  void stop() {
    members.close();
  }

  @Test
  void three_found_a_cluster_and_keep_its_log_over_a_restart_of_all() throws StartFailure {
    startThree("");
    members.put(0, "one");
    members.stopAll();
    members.places().forEach(place -> assertTrue(place.data().isLogBegun()));
    members.startAll();
    members.put(1, "two");
    members.assertAllHave(List.of("one", "two"));
    assertEquals(2, members.place(2).data().start());
    assertEquals(
        members.places().stream().map(Place::member).sorted().toList(),
        members.place(0).running().log().members().stream().map(Member::id).toList());
  }

  @Test
  void three_found_a_cluster_over_tls_by_their_settings() throws Exception {
    Certificates certificates = Certificates.make("ip:127.0.0.1");
    startThree(
        "holdfast.raft.tls { enabled = on, certificate = \"%s\", private-key = \"%s\", authorities = \"%s\" }"
            .formatted(
                certificates.writeCertificate(folder.resolve("certificate.pem")),
                certificates.writeKey(folder.resolve("key.pem")),
                certificates.writeCertificate(folder.resolve("authorities.pem"))));
    members.put(2, "one");
    members.assertAllHave(List.of("one"));
    try (SSLSocket stranger =
        (SSLSocket)
            certificates
                .trusting(certificates)
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), members.place(0).port())) {
      stranger.startHandshake(); // fails where clear text is spoken
    }
  }

  @Test
  void a_witness_among_them_votes_and_applies_nothing() throws StartFailure {
    members = new MembersUnderTest(folder, 3);
    members.settings("holdfast.raft.members = \"%s\"".formatted(members.list("", "", "/witness")));
    members.startAll();
    members.put(0, "one");
    eventually("words", WITHIN, members.place(1).words()::all, List.of("one")::equals);
    assertEquals(List.of(), members.place(2).words().all());
    members.stop(members.place(0));
    members.put(1, "two");
  }

  @Test
  void members_with_other_terms_found_no_cluster_and_say_so() throws StartFailure {
    ListAppender<ILoggingEvent> told = new ListAppender<>();
    told.start();
    Logger logger = (Logger) LoggerFactory.getLogger("io.holdfast.raft.node.Enrolment");
    logger.addAppender(told);
    try {
      members = new MembersUnderTest(folder, 2);
      members.start(members.place(0));
      members.settings("holdfast.session.ttl = 3s");
      members.start(members.place(1));
      eventually(
          "the difference is told",
          WITHIN,
          () -> List.copyOf(told.list),
          list ->
              list.stream()
                  .anyMatch(
                      event -> event.getFormattedMessage().contains("shared settings differ")));
      assertNull(members.place(0).running().log().leadership().leader());
    } finally {
      logger.detachAppender(told);
    }
  }

  @Test
  void the_list_of_members_counts_at_the_first_start_only() throws StartFailure {
    members = new MembersUnderTest(folder, 2);
    String founders = "holdfast.raft.members = \"127.0.0.1:%d\"";
    members.settings(founders.formatted(members.place(1).port()));
    assertFailure(
        NodeExitCode.CONFIGURATION,
        "holdfast.raft.members does not name this node, which is [127.0");
    members.settings("");
    members.startAll();
    members.put(0, "one");
    members.stopAll();
    members.settings(founders.formatted(members.place(1).port()));
    members.startAll();
    members.put(0, "two");
    members.assertAllHave(List.of("one", "two"));
  }

  @Test
  void a_lone_member_may_have_any_port_and_then_another() throws StartFailure {
    members = new MembersUnderTest(folder, 1);
    members.settings("holdfast.raft { port = 0, members = [] }");
    members.startAll();
    assertNotEquals(0, members.place(0).running().address().port());
    members.put(0, "one");
    members.stopAll();
    members.startAll();
    members.put(0, "two");
    members.assertAllHave(List.of("one", "two"));
  }

  @Test
  void a_first_start_without_a_log_does_not_hinder_the_next() throws StartFailure {
    members = new MembersUnderTest(folder, 1);
    Place place = members.place(0);
    DataDirectory.open(place.directory(), () -> 7).close();
    members.startAll();
    members.put(0, "one");
    assertEquals(2, place.data().start());
  }

  @Test
  void a_log_that_was_begun_and_is_gone_refuses_the_start() throws Exception {
    members = new MembersUnderTest(folder, 1);
    members.startAll();
    members.put(0, "one");
    members.stopAll();
    MembersUnderTest.deleteFiles(members.place(0).log());
    assertFailure(NodeExitCode.DATA_DIRECTORY, "the directory has no log any more. Keep a copy");
    Files.delete(members.place(0).log());
    assertFailure(NodeExitCode.DATA_DIRECTORY, "the directory has no log any more. Keep a copy");
  }

  @Test
  void a_beginning_that_cannot_be_noted_refuses_the_start() throws Exception {
    members = new MembersUnderTest(folder, 1);
    Place place = members.place(0);
    Path inTheWay = place.directory().resolve("node.next");
    members.betweenSteps(opened -> inTheWay.toFile().mkdir());
    assertFailure(
        NodeExitCode.DATA_DIRECTORY,
        "the data directory [" + place.directory() + "] cannot be written: ");
    members.betweenSteps(opened -> {});
    Files.delete(inTheWay);
    members.startAll();
    members.put(0, "one");
  }

  @Test
  void a_log_that_cannot_be_opened_refuses_the_start() throws Exception {
    members = new MembersUnderTest(folder, 1);
    Path log = members.place(0).log();
    Files.createDirectories(log.resolve("left.tmp").resolve("not empty"));
    assertFailure(
        NodeExitCode.DATA_DIRECTORY,
        "the log in [" + log + "] cannot be used: could not open the log");
    Files.delete(log.resolve("left.tmp").resolve("not empty"));
    members.startAll(); // and nothing was left behind that hinders
  }

  @Test
  void an_address_that_is_taken_refuses_the_start_and_not_the_next() throws Exception {
    members = new MembersUnderTest(folder, 1);
    int port = members.place(0).port();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertFailure(
          NodeExitCode.ADDRESS,
          "the raft address [127.0.0.1:%d] cannot be had: Address already in use; holdfast.raft.host"
              .formatted(taken.getLocalPort()));
    }
    members.startAll();
    members.put(0, "one");
  }

  @Test
  void a_session_that_an_election_can_outlast_refuses_the_start() {
    members = new MembersUnderTest(folder, 1);
    members.settings("holdfast.raft.profile = wan");
    assertFailure(
        NodeExitCode.CONFIGURATION,
        "holdfast.session.ttl [2000 ms], holdfast.session.renewal [400 ms] and"
            + " holdfast.raft.profile [wan] do not fit");
    members.settings("holdfast { raft.profile = wan, session.ttl = 3s }");
    assertTrue(members.tryStart(members.place(0)).isEmpty());
  }

  @Test
  void a_disk_that_fails_while_the_member_runs_ends_its_process() throws Exception {
    members = new MembersUnderTest(folder, 1);
    members.startAll();
    members.put(0, "one");
    Place place = members.place(0);
    eventually(
        "the next segment is prepared",
        WITHIN,
        () -> Files.exists(place.log().resolve("next.tmp")),
        made -> made);
    MembersUnderTest.deleteFiles(place.log());
    for (int i = 0; i < 70 && place.failures().isEmpty(); i++) {
      members.propose(0, "x".repeat(1_000_000)); // until the segment is full
    }
    eventually("told", WITHIN, place::failures, List.of(NodeExitCode.DISK)::equals);
  }

  @Test
  void a_state_that_cannot_be_applied_ends_its_process() throws Exception {
    members = new MembersUnderTest(folder, 1);
    members.startAll();
    members.put(0, "one");
    members.propose(0, MembersUnderTest.POISON);
    eventually("told", WITHIN, members.place(0)::failures, List.of(NodeExitCode.INTERNAL)::equals);
  }

  private void startThree(String settings) throws StartFailure {
    members = new MembersUnderTest(folder, 3);
    members.settings(settings);
    members.startAll();
  }

  private void assertFailure(NodeExitCode code, String words) {
    StartFailure failure =
        members.tryStart(members.place(0)).orElseThrow(() -> new AssertionError("it started"));
    assertEquals(code, failure.exitCode(), failure.getMessage());
    assertEquals(1, failure.faults().size());
    assertTrue(failure.faults().get(0).contains(words), failure.faults().get(0));
  }
}
