package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.NodeId;
import io.holdfast.coordination.state.Session;
import io.holdfast.simulation.Violation;
import java.util.HashMap;
import java.util.Map;

/** A dead incarnation gets no session. */
final class NoRevival implements JournalInvariant {

  private final Map<NodeId, Long> dead = new HashMap<>();

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    verdict
        .ended()
        .forEach(
            ended ->
                dead.merge(ended.session().member(), ended.session().incarnation(), Math::max));
    if (verdict instanceof CoordinationVerdict.Opened opened && !opened.repeated()) {
      Session session = opened.session();
      if (session.incarnation() <= dead.getOrDefault(session.member(), 0L)) {
        throw new Violation("NoRevival", session.toString());
      }
    }
  }
}
