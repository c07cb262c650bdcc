package holdfast.grpc;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import java.util.function.BooleanSupplier;

/** Whether this node takes requests: what its health and readiness answer. One for each node. */
public final class Serving implements Extension {

  private static final ExtensionId<Serving> ID =
      new ExtensionId<>() {
        @Override
        public Serving createExtension(ActorSystem<?> system) {
          return new Serving();
        }
      };

  private volatile BooleanSupplier mayAct = () -> false;
  private volatile boolean leaving;

  private Serving() {}

  public static Serving get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /** Begins to take requests, whenever the node may act. */
  public void begin(BooleanSupplier whenItMayAct) {
    mayAct = whenItMayAct;
  }

  /** Takes no more requests. */
  public void leave() {
    leaving = true;
  }

  public boolean isOn() {
    return !leaving && mayAct.getAsBoolean();
  }

  boolean isLeaving() {
    return leaving;
  }
}
