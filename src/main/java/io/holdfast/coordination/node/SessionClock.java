package io.holdfast.coordination.node;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Remembers when this process saw the last renewal of each session in its own log. From then on the
 * session's ttl counts for it.
 *
 * <p>It runs on every member all the time, so that a new leader has its own sightings. What it has
 * not seen it cannot expire: an expiry names the renewal that it counts from, and the log refuses
 * it if there was a later one. Used by one thread; times are of one monotonic clock.
 */
public final class SessionClock {

  /**
   * The first sight of a renewal.
   *
   * @param atMs the time when this process saw it
   */
  private record Sight(long renewal, int ttlMs, long atMs) {}

  private final NavigableMap<SessionId, Sight> sights = new TreeMap<>();

  /** Begins anew from a snapshot: all that it holds is seen now, for the first time. */
  public void restored(Collection<Session> sessions, long nowMs) {
    sights.clear();
    sessions.forEach(session -> saw(session, nowMs));
  }

  /** The process applied an entry, with this verdict. */
  public void applied(CoordinationVerdict verdict, long nowMs) {
    verdict.ended().forEach(ended -> ended(ended.session().id()));
    verdict.alive().ifPresent(session -> saw(session, nowMs));
  }

  /** The process saw this renewal in its log; 0 is the opening. Seen again, it counts as before. */
  public void saw(SessionId session, long renewal, int ttlMs, long nowMs) {
    Sight before = sights.get(session);
    if (before == null || renewal > before.renewal) {
      sights.put(session, new Sight(renewal, ttlMs, nowMs));
    }
  }

  /** The session has ended. */
  public void ended(SessionId session) {
    sights.remove(session);
  }

  /** The proposals of a leader now: to end each session whose whole ttl has passed since. */
  public List<CoordinationCommand.ExpireSession> due(long nowMs) {
    List<CoordinationCommand.ExpireSession> due = new ArrayList<>();
    sights.forEach(
        (session, sight) -> {
          if (nowMs >= dueMs(sight)) {
            due.add(new CoordinationCommand.ExpireSession(session, sight.renewal));
          }
        });
    return due;
  }

  /** The time when the next session is due, or {@code Long.MAX_VALUE}. */
  public long nextDueMs() {
    return sights.values().stream().mapToLong(SessionClock::dueMs).min().orElse(Long.MAX_VALUE);
  }

  private void saw(Session session, long nowMs) {
    saw(session.id(), session.renewal(), session.ttlMs(), nowMs);
  }

  /** Readings are cut to whole milliseconds: one more than the ttl is surely all of it. */
  private static long dueMs(Sight sight) {
    return sight.atMs + sight.ttlMs + 1;
  }
}
