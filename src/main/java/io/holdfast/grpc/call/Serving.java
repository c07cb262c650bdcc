package io.holdfast.grpc.call;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

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
  private volatile IntSupplier ownerless = () -> 0;
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

  /** Asks this from now on how many shards that hold something have had no owner for long. */
  public void watchShards(IntSupplier howMany) {
    ownerless = howMany;
  }

  /** How many shards that hold something have had no owner for long. */
  public int ownerlessShards() {
    return ownerless.getAsInt();
  }

  public boolean isOn() {
    return !leaving && mayAct.getAsBoolean();
  }

  boolean isLeaving() {
    return leaving;
  }
}
