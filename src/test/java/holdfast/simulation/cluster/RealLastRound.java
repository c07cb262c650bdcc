package holdfast.simulation.cluster;

import holdfast.client.session.Failure;
import holdfast.client.session.HeldGrant;
import holdfast.client.session.SessionCore;
import holdfast.client.session.Wish;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/** I12, for those who live: as {@link LastRound}, by the real client. */
final class RealLastRound implements Wish.Listener, SessionCore.Release {

  private static final long AGAIN_US = 350_000;
  private static final long PATIENCE_NANOS = 60_000_000_000L;

  private final RealClient client;
  private final Deque<String> keys;
  private long token;
  private String last = "";

  RealLastRound(RealClient client, Collection<String> keys) {
    this.client = client;
    this.keys = new ArrayDeque<>(keys);
  }

  boolean isOver() {
    return keys.isEmpty();
  }

  /** Asks for the next key. */
  void begin() {
    if (!isOver()) {
      client.act(this::ask);
    }
  }

  private void ask() {
    long ownTtlMs = client.chance().nextInt(3) > 0 ? 0 : 800;
    client
        .core()
        .acquire(
            new Wish.Terms(keys.element(), client.newHolder("last"), ownTtlMs, PATIENCE_NANOS),
            this,
            client.nanos());
  }

  private void again(String why) {
    last = why;
    client.host().later(AGAIN_US, "wishes anew", this::begin);
  }

  @Override
  public void granted(HeldGrant grant) {
    token = grant.fencingToken();
    client
        .host()
        .later(
            0,
            "gives back",
            () -> client.act(() -> client.core().release(grant, this, client.nanos())));
  }

  @Override
  public void released(boolean wasHeld) {
    client.locks().count("served once more");
    keys.remove();
    begin();
  }

  @Override
  public void notAcquired(String why) {
    again(why);
  }

  @Override
  public void failed(Failure failure) {
    again(failure.toString());
  }

  @Override
  public String toString() {
    return client + ", which asks once more for " + keys + " under " + token + " " + last;
  }
}
