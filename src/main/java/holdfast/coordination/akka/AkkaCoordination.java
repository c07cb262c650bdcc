package holdfast.coordination.akka;

import akka.actor.setup.Setup;
import holdfast.coordination.NodeCoordination;

/** Joins a node's coordination and its actor system. */
public final class AkkaCoordination {

  private AkkaCoordination() {}

  /** What the actor system must be made with. */
  public static Setup setup(NodeCoordination coordination) {
    return new CoordinationAccess.Given(coordination);
  }
}
