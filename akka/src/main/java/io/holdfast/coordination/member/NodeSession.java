package io.holdfast.coordination.member;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.coordination.state.SessionKeeper;
import io.holdfast.coordination.state.SessionTimes;
import io.holdfast.coordination.state.ShardTerms;
import java.util.List;
import java.util.Optional;

/** The session of this process and the clocks that bound it. Safe for use by many threads. */
final class NodeSession {

  private final Clocks clocks;
  private final ShardTerms terms;
  private final SessionKeeper keeper;

  NodeSession(SessionTimes times, CoordinationCommand.OpenSession opening, Clocks clocks) {
    this.clocks = clocks;
    terms = opening.terms();
    keeper = new SessionKeeper(times, opening, clocks.monotonicMs(), clocks.wallMs());
  }

  /** By which this process finds the shard of a key. */
  ShardTerms terms() {
    return terms;
  }

  synchronized boolean isValid() {
    return keeper.isValid(clocks.monotonicMs(), clocks.wallMs());
  }

  synchronized Optional<SessionId> session() {
    return keeper.session();
  }

  synchronized Optional<String> end() {
    return keeper.end();
  }

  synchronized List<CoordinationCommand> due() {
    return keeper.due(clocks.monotonicMs(), clocks.wallMs());
  }

  synchronized long nextMs() {
    return keeper.nextMs();
  }

  synchronized void answered(CoordinationCommand command, Optional<CoordinationVerdict> verdict) {
    long nowMs = clocks.monotonicMs();
    verdict.ifPresentOrElse(
        decided -> keeper.decided(command, decided, nowMs), () -> keeper.cameBack(command, nowMs));
  }

  synchronized void applied(CoordinationVerdict verdict) {
    keeper.applied(verdict);
  }

  synchronized void restored(CoordinationState state) {
    keeper.restored(state);
  }
}
