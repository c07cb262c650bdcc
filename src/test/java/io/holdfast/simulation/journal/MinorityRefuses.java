package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * I10: no session is valid longer than its time after the first send of the last renewal that the
 * majority has taken, by a clock that is at most 1 % slow.
 */
final class MinorityRefuses implements JournalInvariant.EachEvent {

  private static final double SLOWEST = 0.99;
  private static final long READING_US = 2_000;

  private final JournalWorld world;
  private final Map<SessionId, Renewal> renewals = new HashMap<>();

  /** The last renewal of a session that the majority has taken, and the end that it gives it. */
  private static final class Renewal {
    private final long number;
    private @Nullable NodeProcess by;
    private double endsUs = -1; // negative until that process has sent it

    Renewal(long number) {
      this.number = number;
    }
  }

  MinorityRefuses(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    verdict
        .alive()
        .ifPresent(session -> renewals.put(session.id(), new Renewal(session.renewal())));
  }

  @Override
  public void happened() {
    for (NodeProcess process : world.processes()) {
      double endsUs = endsUs(process, renewals.get(process.session()));
      if (world.nowUs() > endsUs && process.isValid()) {
        throw new Violation("I10 MinorityRefuses", process + " is valid after " + endsUs);
      }
    }
  }

  private static double endsUs(NodeProcess process, @Nullable Renewal renewal) {
    if (renewal == null) {
      return endsUs(process.firstSentUs(/* attempt= */ 0));
    } else if (renewal.by != process || renewal.endsUs < 0) {
      renewal.by = process;
      renewal.endsUs = endsUs(process.firstSentUs(renewal.number));
    }
    return renewal.endsUs;
  }

  private static double endsUs(long sentUs) {
    return sentUs + NodeProcess.TIMES.validForMs() * 1_000 / SLOWEST + READING_US;
  }
}
