package io.holdfast.raft.core;

/**
 * The identity of one data directory for as long as it exists: a random number made with it.
 *
 * <p>A member that loses its directory comes back as another member, so an id never votes twice.
 */
public record MemberId(long value) implements Comparable<MemberId> {

  public MemberId {
    if (value <= 0) {
      throw new IllegalArgumentException("member id [" + value + "] must be positive");
    }
  }

  @Override
  public int compareTo(MemberId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(value);
  }

  @Override
  public String toString() {
    return "m" + Long.toString(value, 36);
  }
}
