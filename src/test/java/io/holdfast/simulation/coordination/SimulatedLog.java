package io.holdfast.simulation.coordination;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.EndedSession;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The committed entries, checked against the invariants. */
final class SimulatedLog {

  /** One acquire: what an append was made under. */
  record Ownership(ShardId shard, Epoch epoch, long acquiredAt) {}

  private final CoordinationState state = new CoordinationState();
  private final Map<ShardId, Ownership> owners = new HashMap<>();
  private final Map<ShardId, Long> newestToken = new HashMap<>();
  private final Map<Ownership, Long> newestOf = new HashMap<>();
  private final Set<Long> tokens = new HashSet<>();
  private final Map<NodeId, Long> dead = new HashMap<>();
  private long index;
  private long accepted;
  private long expired;

  SimulatedLog(int shards) {
    commit(new CoordinationCommand.Found(1, shards, List.of()));
  }

  CoordinationState state() {
    return state;
  }

  long index() {
    return index;
  }

  /** The number of accepted appends. */
  long accepted() {
    return accepted;
  }

  /** The number of expired sessions. */
  long expired() {
    return expired;
  }

  CoordinationVerdict commit(CoordinationCommand command) {
    index++;
    CoordinationVerdict verdict = state.apply(index, command);
    verdict.ended().forEach(this::ended);
    if (verdict instanceof CoordinationVerdict.Opened opened && !opened.repeated()) {
      Session session = opened.session();
      require(
          session.incarnation() > dead.getOrDefault(session.member(), 0L), "NoRevival", session);
    } else if (verdict instanceof CoordinationVerdict.Acquired acquired) {
      owners.put(acquired.shard(), new Ownership(acquired.shard(), acquired.epoch(), index));
    } else if (verdict instanceof CoordinationVerdict.Released released) {
      owners.remove(released.shard());
    }
    Set<FormationId> formations =
        state.sessions().stream()
            .filter(Session::isJoined)
            .map(Session::formation)
            .collect(Collectors.toSet());
    require(formations.size() <= 1, "OneFormation", formations);
    return verdict;
  }

  /**
   * An append of a lock's grant, judged by the fence. Of one ownership, the journal takes appends
   * in order only, so one that was overtaken is not looked at.
   */
  void append(Ownership under, long token) {
    Long last = newestOf.get(under);
    if (!state.isCurrent(under.shard(), under.epoch()) || (last != null && token <= last)) {
      return;
    }
    accepted++;
    newestOf.put(under, token);
    require(under.equals(owners.get(under.shard())), "I9 OneWriter", under);
    require(tokens.add(token), "I2 TokenMonotonic, twice", token);
    Long before = newestToken.put(under.shard(), token);
    require(before == null || before < token, "I2 TokenMonotonic, falling", token);
  }

  private void ended(EndedSession ended) {
    Session session = ended.session();
    dead.merge(session.member(), session.incarnation(), Math::max);
    ended.shards().forEach(owners::remove);
    if (ended.cause() == EndedSession.Cause.EXPIRED) {
      expired++;
    }
  }

  private static void require(boolean holds, String invariant, Object what) {
    if (!holds) {
      throw new Violation(invariant, what.toString());
    }
  }
}
