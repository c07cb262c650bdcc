package holdfast.grpc;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;

/** Whether this node takes requests: what its health and readiness answer. One for each node. */
public final class Serving implements Extension {

  private static final ExtensionId<Serving> ID =
      new ExtensionId<>() {
        @Override
        public Serving createExtension(ActorSystem<?> system) {
          return new Serving();
        }
      };

  private volatile boolean on;

  private Serving() {}

  public static Serving get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  public boolean isOn() {
    return on;
  }

  public void set(boolean on) {
    this.on = on;
  }
}
