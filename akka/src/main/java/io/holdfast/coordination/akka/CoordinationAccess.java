package io.holdfast.coordination.akka;

import akka.actor.AbstractExtensionId;
import akka.actor.ActorContext;
import akka.actor.ActorSystem;
import akka.actor.ExtendedActorSystem;
import akka.actor.Extension;
import akka.actor.setup.Setup;
import io.holdfast.coordination.member.MemberCoordination;
import java.util.function.Function;

/**
 * The Akka extension by which leases and downing, which Akka makes by itself, find the coordination
 * of their member.
 */
final class CoordinationAccess implements Extension {

  /** Gives an actor system its node's coordination, before anything of it runs. */
  static final class Given extends Setup {
    private final MemberCoordination coordination;
    private final Function<ActorContext, HostDuties> duties;

    Given(MemberCoordination coordination, Function<ActorContext, HostDuties> duties) {
      this.coordination = coordination;
      this.duties = duties;
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
      return new CoordinationAccess(given);
    }
  }

  private static final Id ID = new Id();

  private final Given given;

  private CoordinationAccess(Given given) {
    this.given = given;
  }

  static CoordinationAccess of(ActorSystem system) {
    return ID.get(system);
  }

  MemberCoordination coordination() {
    return given.coordination;
  }

  HostDuties duties(ActorContext context) {
    return given.duties.apply(context);
  }
}
