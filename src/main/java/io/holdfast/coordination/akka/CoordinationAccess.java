package io.holdfast.coordination.akka;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.setup.Setup;
import io.holdfast.coordination.NodeCoordination;

/**
 * The Akka extension by which leases and downing, which Akka makes by itself, find the coordination
 * of their node.
 */
final class CoordinationAccess implements Extension {

  /** Gives an actor system its node's coordination, before anything of it runs. */
  static final class Given extends Setup {
    private final NodeCoordination coordination;

    Given(NodeCoordination coordination) {
      this.coordination = coordination;
    }
  }

  private static final class Id extends AbstractExtensionId<CoordinationAccess> {
    @Override
    public CoordinationAccess createExtension(ExtendedActorSystem system) {
      Given given =
          system
              .settings()
              .setup()
              .get(Given.class)
              .orElseThrow(
                  () -> new IllegalStateException("the actor system was given no coordination"));
      return new CoordinationAccess(given.coordination);
    }
  }

  private static final Id ID = new Id();

  private final NodeCoordination coordination;

  private CoordinationAccess(NodeCoordination coordination) {
    this.coordination = coordination;
  }

  static NodeCoordination of(ActorSystem system) {
    return ID.get(system).coordination;
  }
}
