package io.holdfast.simulation;

/** An invariant that did not hold. */
public final class Violation extends RuntimeException {

  private static final long serialVersionUID = 1;

  public Violation(String invariant, String what) {
    super(invariant + ": " + what);
  }
}
