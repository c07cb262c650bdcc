package holdfast.simulation.journal;

import holdfast.coordination.CoordinationMachine;
import holdfast.coordination.state.CoordinationCommand;
import holdfast.coordination.state.CoordinationState;
import holdfast.coordination.state.CoordinationVerdict;
import holdfast.coordination.state.NodeId;
import holdfast.raft.core.Leadership;
import java.util.List;

/** What the machine of coordination tells a node's process. */
final class LogFollower implements CoordinationMachine.Follower {

  private final NodeProcess node;
  private final CoordinationMachine coordination;

  LogFollower(NodeProcess node, CoordinationMachine coordination) {
    this.node = node;
    this.coordination = coordination;
  }

  @Override
  public void applied(List<CoordinationMachine.Applied> batch) {
    long now = node.clock().nowMs();
    for (CoordinationMachine.Applied applied : batch) {
      CoordinationCommand command = applied.command();
      CoordinationVerdict verdict = applied.verdict();
      node.keeper().applied(verdict);
      coordination.read(
          state -> {
            node.duties().applied(verdict, state, now);
            return true;
          });
      if (applied.number() > 0) {
        node.keeper().decided(command, verdict, now);
        node.joining().decided(command, verdict);
        node.seats().stream()
            .filter(seat -> seat.isAbout(command))
            .forEach(seat -> seat.decided(command, verdict, now));
      }
    }
  }

  @Override
  public void restored() {
    coordination.read(
        state -> {
          node.duties().restored(state, node.clock().nowMs());
          node.keeper().restored(state);
          node.seats().forEach(seat -> seat.restored(state));
          return true;
        });
  }

  @Override
  public void peerGone(NodeId peer) {
    node.keeper()
        .session()
        .ifPresent(
            own ->
                node.read(CoordinationState::sessions).stream()
                    .filter(session -> session.member().equals(peer))
                    .forEach(
                        gone ->
                            node.propose(
                                new CoordinationCommand.ReportGone(
                                    own, gone.id(), gone.renewal()))));
  }

  @Override
  public void leadershipChanged(Leadership leadership) {}
}
