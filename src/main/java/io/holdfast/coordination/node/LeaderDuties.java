package io.holdfast.coordination.node;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.UncertainMark;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Computes the proposals of a leader, by its own clock and observations: it ends sessions whose ttl
 * has passed or whose process is gone, calls shards certain, and expels nodes.
 *
 * <p>It runs on every member all the time, so that a new leader has its own sightings. Whatever it
 * proposes is conditional: the log refuses what is not true any more. Used by one thread.
 */
public final class LeaderDuties {

  /** Views must be unchanged for this long before a node is expelled by them. */
  private static final int VIEWS_SETTLE_MS = 2_000;

  /** A new leader listens for this long before it ends sessions: nobody could renew without one. */
  private static final int LISTEN_FIRST_MS = 1_000;

  /** A proposal that had no effect within this time is made again. */
  private static final int REPEAT_MS = 500;

  /** The first sight of a mark. */
  private record MarkSight(long mark, int ttlMs, long atMs) {}

  private final SessionClock sessions = new SessionClock();
  private final NavigableMap<ShardId, MarkSight> marks = new TreeMap<>();
  private final Map<CoordinationCommand, Long> proposed = new HashMap<>();
  private Map<SessionId, Set<SessionId>> views = Map.of();
  private long viewsChangedMs;
  private long endsFromMs = Long.MIN_VALUE;

  /** Begins anew from a snapshot: all that it holds is seen now, for the first time. */
  public void restored(CoordinationState state, long nowMs) {
    sessions.restored(state.sessions(), nowMs);
    marks.clear();
    look(state, nowMs);
  }

  /** An entry was applied, with this verdict; the state is as it was after it, or later. */
  public void applied(CoordinationVerdict verdict, CoordinationState state, long nowMs) {
    sessions.applied(verdict, nowMs);
    if (!(verdict instanceof CoordinationVerdict.Renewed)) {
      look(state, nowMs);
    }
  }

  /** This process leads from now on. */
  public void leads(long nowMs) {
    endsFromMs = nowMs + LISTEN_FIRST_MS;
  }

  private void look(CoordinationState state, long nowMs) {
    for (int i = 0; i < state.shards(); i++) {
      ShardId shard = ShardId.of(i);
      MarkSight seen = marks.get(shard);
      UncertainMark mark = state.uncertain(shard).orElse(null);
      if (mark == null) {
        marks.remove(shard);
      } else if (seen == null || seen.mark != mark.id()) {
        marks.put(shard, new MarkSight(mark.id(), mark.ttlMs(), nowMs));
      }
    }
    Map<SessionId, Set<SessionId>> now = new HashMap<>();
    state.sessions().stream()
        .filter(session -> !session.unreachable().isEmpty())
        .forEach(session -> now.put(session.id(), session.unreachable()));
    if (!now.equals(views)) {
      views = now;
      viewsChangedMs = nowMs;
    }
  }

  /** The proposals that a leader makes now, without those made lately. */
  public List<CoordinationCommand> due(CoordinationState state, long nowMs) {
    List<CoordinationCommand> due = new ArrayList<>();
    Consumer<CoordinationCommand> propose = command -> addOnce(command, due, nowMs);
    proposed.values().removeIf(atMs -> nowMs - atMs >= REPEAT_MS);
    if (nowMs >= endsFromMs) {
      sessions.due(nowMs).forEach(propose);
    }
    state.seeminglyGone().forEach(propose);
    marks.forEach(
        (shard, seen) -> {
          if (nowMs > seen.atMs + seen.ttlMs) {
            propose.accept(new CoordinationCommand.MarkCertain(shard, seen.mark));
          }
        });
    if (!views.isEmpty() && nowMs - viewsChangedMs >= VIEWS_SETTLE_MS) {
      CoordinationCommand.Expel expel = state.expulsion();
      if (!expel.sessions().isEmpty()) {
        propose.accept(expel);
      }
    }
    return due;
  }

  private void addOnce(CoordinationCommand command, List<CoordinationCommand> due, long nowMs) {
    if (proposed.putIfAbsent(command, nowMs) == null) {
      due.add(command);
    }
  }
}
