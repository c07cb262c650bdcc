package io.holdfast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.typesafe.config.ConfigFactory;
import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.member.InvalidSettings;
import io.holdfast.raft.core.Configuration;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.node.FoundingPlan;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which settings the initial members must have alike, and which not. */
class ClusterTermsTest {

  @Test
  void a_node_without_initial_members_founds_a_cluster_alone() throws Exception {
    assertEquals(List.of(FoundingPlan.PlannedMember.voter("127.0.0.1:7403")), plan("").members());
  }

  @Test
  void initial_members_take_their_seats_in_order() throws Exception {
    assertEquals(
        List.of(
            FoundingPlan.PlannedMember.voter("b:1"),
            FoundingPlan.PlannedMember.voter("127.0.0.1:7403"),
            new FoundingPlan.PlannedMember("[::1]:2", Member.Kind.WITNESS, 0)),
        plan("raft.members = \"b:1,127.0.0.1:7403,[::1]:2/witness\"").members());
  }

  @Test
  void as_many_members_are_allowed_as_a_configuration_holds() throws Exception {
    String all =
        IntStream.range(7403, 7403 + Configuration.MAX_MEMBERS)
            .mapToObj(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(","));
    assertEquals(
        Configuration.MAX_MEMBERS, plan("raft.members = \"" + all + "\"").members().size());
  }

  @Test
  void the_profile_sets_how_long_elections_wait() throws Exception {
    assertEquals(Settings.LOCAL, terms("").elections());
    assertEquals(Settings.wan(), terms("raft.profile = wan, session.ttl = 3s").elections());
  }

  @Test
  void a_sync_may_take_what_session_and_election_timeout_bear() throws Exception {
    assertEquals(62, terms("").toleratedSyncMs());
    assertEquals(125, terms("session.ttl = 10s").toleratedSyncMs());
    assertEquals(60, terms("raft.profile = wan, session.ttl = 3s").toleratedSyncMs());
    assertEquals(250, terms("raft.profile = wan, session.ttl = 10s").toleratedSyncMs());
    assertEquals(1, terms("session.renewal = 649ms").toleratedSyncMs());
  }

  @Test
  void the_hash_covers_the_terms_that_must_agree() throws Exception {
    long usual = plan("").settingsHash();
    assertNotEquals(usual, plan("locks.shards = 47").settingsHash());
    assertNotEquals(usual, plan("session.ttl = 2001ms").settingsHash());
    assertNotEquals(
        plan("session.ttl = 3s").settingsHash(),
        plan("session.ttl = 3s, raft.profile = wan").settingsHash());
    assertEquals(usual, plan("session.renewal = 300ms, locks.max-waiters = 3").settingsHash());
    // It stands in the logs of clusters that exist: another text needs another release.
    assertEquals(1_078_510_090_600_182_757L, usual);
  }

  private static FoundingPlan plan(String text) throws StartFailure, InvalidSettings {
    HoldfastSettings settings = settings(text);
    return ClusterTerms.of(settings).plan(settings.raft().members(), settings.raft().address());
  }

  private static ClusterTerms terms(String text) throws StartFailure, InvalidSettings {
    return ClusterTerms.of(settings(text));
  }

  private static HoldfastSettings settings(String text) throws InvalidSettings {
    return HoldfastSettings.from(
        ConfigFactory.parseString("holdfast { " + text + " }")
            .withFallback(ConfigFactory.defaultReference()));
  }
}
