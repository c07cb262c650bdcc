package io.holdfast.lock;

import java.util.Optional;

/** By what a holder or a waiter lives. */
public sealed interface Life {

  /** How long it outlives the last sign of life. */
  Ttl ttl();

  /** The shared lease that it ends with, if it has one. */
  Optional<LeaseLife> lease();

  /** Whether it ends with this lease. */
  default boolean isOn(LeaseLife lease) {
    return lease().filter(lease::equals).isPresent();
  }

  /** By its own signs of life. */
  record Own(Ttl ttl) implements Life {

    @Override
    public Optional<LeaseLife> lease() {
      return Optional.empty();
    }

    @Override
    public String toString() {
      return ttl.toString();
    }
  }

  /** By those of a lease that others hang on too. */
  record Shared(LeaseLife on, Ttl ttl) implements Life {

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
