package io.holdfast.client;

import io.grpc.InsecureChannelCredentials;
import io.holdfast.client.session.LockAttempt;
import io.holdfast.client.session.SessionCore;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** The locks of a client as its callers have them, above a session in virtual time. */
public final class SimulatedLocks {

  /** The way to the session. */
  public interface Session {

    /** Has the session do something on its own thread. */
    void post(Turn turn);
  }

  /** Something for the session's core, at that time. */
  public interface Turn {
    void take(SessionCore core, long now);
  }

  private final Turns session;
  private final ClientSettings settings;

  /**
   * The locks of one session.
   *
   * @param callbacks runs what callers have told
   */
  public SimulatedLocks(
      String clientId, LongSupplier nanoClock, Executor callbacks, Session session) {
    this.session = (turn, onFault) -> session.post(turn::take); // a fault ends the simulation
    settings =
        new ClientSettings(
            List.of(Endpoint.parse("localhost:1")),
            clientId,
            /* ttl= */ Duration.ofSeconds(1),
            /* answerWithin= */ Duration.ofSeconds(1),
            InsecureChannelCredentials.create(),
            /* callCredentials= */ null,
            List.of(),
            /* authority= */ null,
            callbacks,
            ClientEvents.NONE,
            nanoClock,
            InetAddress::getAllByName);
  }

  /** Asks for a lock. Cancelling the future gives it up. */
  public CompletableFuture<Grant> acquire(LockAttempt.Terms terms) {
    return HandedOver.to(
        settings.callbacks(), Acquisition.start(session, settings, terms), Grant::giveBack);
  }
}
