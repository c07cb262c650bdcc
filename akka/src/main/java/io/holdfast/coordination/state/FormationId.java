package io.holdfast.coordination.state;

/**
 * The number of one forming of the Akka cluster: whoever joined another one joined another cluster.
 */
public record FormationId(long value) {

  /** The formation of a session that has not joined. */
  public static final FormationId NONE = new FormationId(0);

  @Override
  public String toString() {
    return "f" + value;
  }
}
