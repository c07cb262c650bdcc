package io.holdfast.lock;

import io.holdfast.id.LeaseLife;
import java.util.Optional;

/** The lifetime of a holder or a waiter: a ttl of its own, or a shared lease. */
public sealed interface Lifetime {

  /** Returns the time that it outlives the last keepalive. */
  Ttl ttl();

  /** Returns the shared lease that it ends with, if it has one. */
  Optional<LeaseLife> lease();

  /** True if it ends with this lease. */
  default boolean isOn(LeaseLife lease) {
    return lease().filter(lease::equals).isPresent();
  }

  /** A ttl of its own, renewed by its own keepalives. */
  record Own(Ttl ttl) implements Lifetime {

    @Override
    public Optional<LeaseLife> lease() {
      return Optional.empty();
    }

    @Override
    public String toString() {
      return ttl.toString();
    }
  }

  /** The ttl of a shared lease, renewed by the keepalives of that lease. */
  record Shared(LeaseLife on, Ttl ttl) implements Lifetime {

    @Override
    public Optional<LeaseLife> lease() {
      return Optional.of(on);
    }

    @Override
    public String toString() {
      return ttl + " of lease " + on;
    }
  }
}
