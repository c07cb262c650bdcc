package io.holdfast.cli;

import io.holdfast.v1.MemberRecord;
import io.holdfast.v1.NodeSession;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Formats members. Their names are their ids in hexadecimal. */
final class MemberFields {

  private static final int RADIX = 16;

  private MemberFields() {}

  /** Reads the id of a member as it is shown. */
  static final class IdText implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Long.parseUnsignedLong(text, RADIX);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("[" + text + "] is not the id of a member");
      }
    }
  }

  static String name(long id) {
    return Long.toHexString(id);
  }

  static String standing(MemberRecord member) {
    return member.getStanding().name().replace("MEMBER_STANDING_", "").toLowerCase(Locale.ROOT);
  }

  static Fields member(MemberRecord member) {
    return Fields.of("memberId", name(member.getMemberId()))
        .and("standing", standing(member))
        .and("leader", member.getLeader())
        .and("logAddress", member.getLogAddress())
        .andIf(member.hasMatchIndex(), "matchIndex", member.getMatchIndex())
        .andIf(member.hasSession(), "session", session(member.getSession()));
  }

  static Fields session(NodeSession session) {
    return Fields.of("nodeId", name(session.getNodeId()))
        .and("sessionId", session.getSessionId())
        .and("incarnation", session.getIncarnation())
        .and("ttlMs", session.getTtlMs())
        .and("joined", session.getJoined())
        .and("endpoint", session.getEndpoint())
        .and("clusterAddress", session.getClusterAddress())
        .and("shardCount", session.getShardCount())
        .and("unreachableCount", session.getUnreachableCount());
  }

  static String table(List<MemberRecord> members, Ansi ansi) {
    Grid grid = new Grid("MEMBER", "STANDING", "LEADER", "NODE", "LOG", "CLIENTS", "SHARDS");
    members.forEach(
        member ->
            grid.row(
                name(member.getMemberId()),
                standing(member),
                member.getLeader() ? "yes" : "",
                node(member),
                member.getLogAddress(),
                member.getSession().getEndpoint().isEmpty()
                    ? "-"
                    : member.getSession().getEndpoint(),
                member.getSession().getShardCount()));
    return grid.text(ansi);
  }

  /** True if its node is there. */
  static String node(MemberRecord member) {
    if (!member.hasSession()) {
      return "away";
    }
    return member.getSession().getJoined() ? "there" : "joining";
  }
}
