package io.holdfast.server;

import io.holdfast.config.HoldfastSettings;
import io.holdfast.config.InitialMember;
import io.holdfast.config.RaftProfile;
import io.holdfast.config.member.ListenAddress;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.Settings;
import io.holdfast.raft.node.FoundingPlan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The terms on which a node takes part in a cluster: its settings of elections, sessions and
 * shards, checked against each other. Initial members with other terms found no cluster with it.
 */
record ClusterTerms(RaftProfile profile, SessionTimes session, int shards) {

  /**
   * The terms in a node's settings.
   *
   * @throws StartFailure if they do not fit together
   */
  static ClusterTerms of(HoldfastSettings settings) throws StartFailure {
    RaftProfile profile = settings.raft().profile();
    SessionTimes session =
        new SessionTimes(
            Math.toIntExact(settings.session().ttl().toMillis()),
            Math.toIntExact(settings.session().renewal().toMillis()));
    ClusterTerms terms = new ClusterTerms(profile, session, settings.locks().shards());
    Optional<String> problem = session.problem(terms.maxElectionTimeoutMs());
    if (problem.isPresent()) {
      throw new StartFailure(
          NodeExitCode.CONFIGURATION,
          "%s: holdfast.session.ttl [%d ms], holdfast.session.renewal [%d ms] and holdfast.raft.profile [%s] do not fit together"
              .formatted(problem.get(), session.ttlMs(), session.renewalMs(), written(profile)));
    }
    return terms;
  }

  /** By which this node finds the shard of a key. */
  ShardTerms shardTerms() {
    return ShardTerms.of(shards);
  }

  /** The limits and delays of the member's core. */
  Settings elections() {
    return profile == RaftProfile.WAN ? Settings.wan() : Settings.LOCAL;
  }

  /**
   * Up to how long a sync of the disk may take: as long as the session outlives an election, and a
   * quarter of the election timeout at most.
   */
  int toleratedSyncMs() {
    int most = elections().electionTimeoutMs() / 4;
    return Math.max(1, Math.min(most, session.toleratedSyncMs(maxElectionTimeoutMs())));
  }

  private int maxElectionTimeoutMs() {
    return 2 * elections().electionTimeoutMs();
  }

  /** The cluster to found, by these members; by the one at this address alone if there are none. */
  FoundingPlan plan(List<InitialMember> members, ListenAddress own) {
    List<FoundingPlan.PlannedMember> planned =
        members.isEmpty()
            ? List.of(FoundingPlan.PlannedMember.voter(own.toString()))
            : members.stream().map(ClusterTerms::planned).toList();
    return new FoundingPlan(planned, shards, hash());
  }

  /*
   * Other settings may differ between nodes: the renewal, since every session counts its own, and how
   * a node serves its clients. These may be changed later, except for the shards; a cluster that
   * begins with a difference was set up by mistake.
   */
  private long hash() {
    String text =
        "shards=%d\nsession.ttl=%d\nraft.profile=%s\n"
            .formatted(shards, session.ttlMs(), written(profile));
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(digest.digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static FoundingPlan.PlannedMember planned(InitialMember member) {
    Member.Kind kind = member.witness() ? Member.Kind.WITNESS : Member.Kind.VOTER;
    return new FoundingPlan.PlannedMember(member.address().toString(), kind, 0);
  }

  private static String written(RaftProfile profile) {
    return profile.name().toLowerCase(Locale.ROOT);
  }
}
