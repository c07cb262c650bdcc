package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.Session;
import io.holdfast.id.ShardId;
import io.holdfast.raft.core.MemberId;
import io.holdfast.simulation.raft.SimulatedMember;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * I12, after healing: all members have joined and nobody else has, every shard is owned, and
 * appends succeed there.
 */
final class Live {

  private final JournalWorld world;
  private String lack = "";

  Live(JournalWorld world) {
    this.world = world;
  }

  boolean isReached() {
    List<Session> sessions = world.chronicle().coordination().sessions();
    if (sessions.stream().filter(Live::isJoinedNode).count() < world.raft().members().size()) {
      return lacks("only these are joined: " + sessions);
    }
    for (Session session : sessions) {
      boolean isMember = world.raft().member(new MemberId(session.member().value())) != null;
      if (!isMember && !session.isService()) {
        return lacks("a member that was removed has " + session);
      }
    }
    Set<ShardId> owned = new HashSet<>();
    for (SimulatedMember member : world.raft().members()) {
      NodeProcess process = world.processOf(member);
      if (process == null || !process.isValid()) {
        return lacks(member + " has no valid session");
      }
      for (ShardId shard : JournalWorld.ALL_SHARDS) {
        Holding held = process.holdingOf(shard);
        if (held != null && held.isRecovered() && held.served()) {
          owned.add(ShardId.of(shard.value()));
        }
      }
    }
    return owned.size() == JournalWorld.SHARDS || lacks("only " + owned + " are served");
  }

  private static boolean isJoinedNode(Session session) {
    return session.isJoined() && !session.isService();
  }

  private boolean lacks(String what) {
    lack = what;
    return false;
  }

  String lack() {
    return lack;
  }
}
