package io.holdfast.simulation.cluster;

import io.holdfast.lock.Lifetime;

/** A part of a client that may believe to hold a lock, by the client's own clock. */
interface Belief {

  boolean believesToHold();

  String key();

  long token();

  Lifetime life();
}
