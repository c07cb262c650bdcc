package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationCommand;
import io.holdfast.coordination.state.CoordinationState;
import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.coordination.state.FormationId;
import io.holdfast.coordination.state.Session;
import io.holdfast.coordination.state.SessionId;
import java.util.Optional;

/** Brings a process into the Akka cluster: forms it, or joins a node that is in it. */
final class Joining {

  private final NodeProcess node;
  private FormationId joined = FormationId.NONE;
  private boolean begins;
  private boolean asks;

  Joining(NodeProcess node) {
    this.node = node;
  }

  FormationId joined() {
    return joined;
  }

  void tick(SessionId session) {
    if (begins || asks) {
      return;
    }
    Optional<FormationId> known =
        node.read(CoordinationState::sessions).stream()
            .filter(Session::isJoined)
            .map(Session::formation)
            .findFirst();
    if (known.isEmpty()) {
      long joinings = node.read(CoordinationState::joinings);
      ask(new CoordinationCommand.FormCluster(session, joinings));
      return;
    }
    begins = true; // and so it never forms any more
    node.member()
        .later(
            node.chance().nextInt(400_000),
            "joins",
            () -> {
              joined = known.get();
              ask(new CoordinationCommand.MarkJoined(session, joined));
            });
  }

  private void ask(CoordinationCommand command) {
    asks = true;
    var unused =
        node.coordination()
            .propose(command)
            .thenAccept(
                verdict ->
                    node.world()
                        .guard(
                            () ->
                                verdict.ifPresentOrElse(
                                    this::decided, () -> node.afterPause(() -> ask(command)))));
  }

  private void decided(CoordinationVerdict verdict) {
    asks = false;
    if (verdict instanceof CoordinationVerdict.Joined now) {
      joined = now.formation();
      begins = true;
    } else if (begins) {
      node.exit();
    }
  }
}
