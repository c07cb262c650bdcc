package io.holdfast.grpc.call;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.Extension;
import akka.actor.typed.ExtensionId;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * The serving state of a node: true while it takes requests. Health and readiness report it. There
 * is one for each node.
 */
public final class ServingState implements Extension {

  private static final ExtensionId<ServingState> ID =
      new ExtensionId<>() {
        @Override
        public ServingState createExtension(ActorSystem<?> system) {
          return new ServingState();
        }
      };

  private volatile BooleanSupplier mayAct = () -> false;
  private volatile IntSupplier ownerless = () -> 0;
  private volatile boolean leaving;

  private ServingState() {}

  public static ServingState get(ActorSystem<?> system) {
    return ID.apply(system);
  }

  /** Starts to take requests, as long as the condition holds. */
  public void begin(BooleanSupplier whenItMayAct) {
    mayAct = whenItMayAct;
  }

  /** Stops taking requests for good. */
  public void leave() {
    leaving = true;
  }

  /** Sets the source of {@link #ownerlessShards()}. */
  public void watchShards(IntSupplier howMany) {
    ownerless = howMany;
  }

  /** Returns the number of shards with locks or leases that have had no owner for long. */
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
