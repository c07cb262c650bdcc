package io.holdfast.coordination.akka;

import io.holdfast.coordination.state.SessionId;
import java.util.Set;

/**
 * The members that a node cannot reach. They are reported once they differ from those in the log
 * and have been the same for a while: links that break and come back are not reported.
 */
final class SteadyView {

  /** The time for which the view must be the same before it is committed. */
  static final long STEADY_MS = 3_000;

  private Set<SessionId> seen = Set.of();
  private long seenSinceMs;

  /**
   * True if it is to be said now.
   *
   * @param now the members that the node cannot reach now
   * @param said the members that it cannot reach, by the log
   */
  boolean isDue(Set<SessionId> now, Set<SessionId> said, long nowMs) {
    if (!now.equals(seen)) {
      seen = Set.copyOf(now);
      seenSinceMs = nowMs;
    } else if (!now.equals(said) && nowMs - seenSinceMs >= STEADY_MS) {
      seenSinceMs = nowMs; // said again only if it had no effect for as long
      return true;
    }
    return false;
  }
}
