package io.holdfast.coordination.member;

/** The two clocks of a machine. Safe for use by many threads. */
public interface Clocks {

  /** A clock that never goes back, and may stand still while the machine is suspended. */
  long monotonicMs();

  /** The time of day, which shows a suspension and may be set. */
  long wallMs();
}
