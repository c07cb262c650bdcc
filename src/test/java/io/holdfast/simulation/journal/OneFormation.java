package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import io.holdfast.simulation.Violation;
import java.util.Set;
import java.util.stream.Collectors;

/** All live sessions that have joined are in one cluster, and their nodes know in which. */
final class OneFormation implements JournalInvariant {

  private final JournalWorld world;

  OneFormation(JournalWorld world) {
    this.world = world;
  }

  @Override
  public void coordinated(CoordinationVerdict verdict) {
    if (!(verdict instanceof CoordinationVerdict.Joined)) {
      return;
    }
    Set<FormationId> formations =
        world.chronicle().coordination().sessions().stream()
            .filter(Session::isJoined)
            .map(Session::formation)
            .collect(Collectors.toSet());
    if (formations.size() > 1) {
      throw new Violation("OneFormation", formations.toString());
    }
    for (NodeProcess process : world.processes()) {
      FormationId joined = process.joining().joined();
      SessionId own = process.session();
      boolean isElsewhere =
          world.chronicle().coordination().session(own).stream()
              .anyMatch(session -> session.isJoined() && !session.formation().equals(joined));
      if (isElsewhere && !joined.equals(FormationId.NONE)) {
        throw new Violation("OneFormation", process + " is in " + joined);
      }
    }
  }
}
