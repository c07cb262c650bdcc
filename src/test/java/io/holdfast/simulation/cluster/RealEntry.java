package io.holdfast.simulation.cluster;

import io.holdfast.client.Grant;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.Ttl;
import org.jspecify.annotations.Nullable;

/** One entry into a lock, by a grant of the real client; empty while nobody is inside. */
final class RealEntry implements Belief {

  private final RealClient client;
  private final String name;
  private @Nullable Grant grant;

  RealEntry(RealClient client, String name) {
    this.client = client;
    this.name = name;
  }

  @Nullable Grant grant() {
    return grant;
  }

  void enter(Grant by) {
    grant = by;
  }

  /** Nobody is inside any more. */
  @Nullable Grant leave() {
    Grant left = grant;
    grant = null;
    return left;
  }

  @Override
  public boolean believesToHold() {
    Grant held = grant;
    return held != null && held.isSurelyHeld();
  }

  @Override
  public String key() {
    Grant held = grant;
    return held == null ? "" : held.key();
  }

  @Override
  public long token() {
    Grant held = grant;
    return held == null ? 0 : held.fencingToken();
  }

  @Override
  public Lifetime life() {
    return client
        .locks()
        .book()
        .grant(token())
        .<Lifetime>map(LockBook.Grant::life)
        .orElse(new Lifetime.Own(new Ttl(Ttl.MIN_MILLIS)));
  }

  @Override
  public String toString() {
    return client + "/" + name + " " + key() + " " + token() + " " + life();
  }
}
