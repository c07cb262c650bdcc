package io.holdfast.config;

import io.holdfast.config.member.ListenAddress;
import io.holdfast.config.member.SettingsReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the node's member of the log; {@code holdfast.raft} in reference.conf.
 *
 * @param address the address at which its peer link listens, and by which the other members know it
 * @param members the initial members of the cluster; none if this node founds one alone
 * @param profile the distance between them
 * @param tls the files for TLS between members; null for clear text
 */
public record RaftSettings(
    ListenAddress address,
    List<InitialMember> members,
    RaftProfile profile,
    @Nullable TlsSettings tls) {

  public RaftSettings {
    members = List.copyOf(members);
  }

  static RaftSettings from(SettingsReader read) {
    ListenAddress address = read.address("raft");
    List<InitialMember> members = read.each("raft.members", "host:port", InitialMembers::parse);
    InitialMembers.problems(members, address)
        .forEach(problem -> read.fault("raft.members", problem));
    return new RaftSettings(
        address,
        members,
        read.choice("raft.profile", RaftProfile.class),
        TlsSettings.from(read, "raft.tls"));
  }
}
