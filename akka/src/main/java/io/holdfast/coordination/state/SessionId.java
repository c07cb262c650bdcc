package io.holdfast.coordination.state;

/** The number of a node session; later sessions have greater ones, over restores too. */
public record SessionId(long value) implements Comparable<SessionId> {

  /** The id of no session. */
  public static final SessionId NONE = new SessionId(0);

  @Override
  public int compareTo(SessionId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "s" + value;
  }
}
