package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * I10: no session is valid longer than its time after the first send of the last renewal that the
 * majority has taken, by a clock that is at most 1 % slow.
 */
final class MinorityRefuses implements JournalInvariant.EachEvent {

  private static final double SLOWEST = 0.99;
  private static final long READING_US = 2_000;

  private final JournalWorld world;
  private final Map<SessionId, Long> renewals = new HashMap<>();

  MinorityRefuses(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    verdict.alive().ifPresent(session -> renewals.put(session.id(), session.renewal()));
  }

  @Override
  public void happened() {
    for (NodeProcess process : world.processes()) {
      if (process.isValid()) {
        SessionId session = process.session();
        long sentUs = process.firstSentUs(renewals.getOrDefault(session, 0L));
        double endsUs = sentUs + NodeProcess.TIMES.validForMs() * 1_000 / SLOWEST + READING_US;
        if (world.nowUs() > endsUs) {
          throw new Violation("I10 MinorityRefuses", process + " is valid after " + endsUs);
        }
      }
    }
  }
}
