package io.holdfast.client;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/** Protects the client from exceptions of its event receiver. */
final class GuardedEvents implements ClientEvents {

  private static final Logger LOG = System.getLogger("io.holdfast.client");

  private final ClientEvents told;

  GuardedEvents(ClientEvents told) {
    this.told = told;
  }

  private static void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "whoever measures the client has failed", e);
    }
  }

  @Override
  public void acquired(Outcome outcome, Duration took) {
    guarded(() -> told.acquired(outcome, took));
  }

  @Override
  public void released(Duration heldFor) {
    guarded(() -> told.released(heldFor));
  }

  @Override
  public void lost(LossReason reason) {
    guarded(() -> told.lost(reason));
  }

  @Override
  public void connected(String endpoint) {
    guarded(() -> told.connected(endpoint));
  }

  @Override
  public void disconnected(String endpoint, String why) {
    guarded(() -> told.disconnected(endpoint, why));
  }
}
