package io.holdfast.raft.core;

import java.util.Objects;

/**
 * One row of a {@link Configuration}: its id, its kind, its priority and its address.
 *
 * @param priority 0 leads first; each step waits longer before it stands for election
 * @param address the address at which its peer link listens; opaque here
 */
public record Member(MemberId id, Kind kind, int priority, String address) {

  /** The largest number, which is the lowest priority. */
  public static final int MAX_PRIORITY = 7;

  /** The longest address, in characters. */
  public static final int MAX_ADDRESS_LENGTH = 512;

  /** The kinds of members: who votes, and who applies the log. */
  public enum Kind {
    /** Votes, keeps the log, applies it and leads. */
    VOTER,
    /**
     * Votes and keeps the bytes of log and snapshot; applies nothing and leads only to hand over.
     */
    WITNESS,
    /** Keeps the log and applies it; has no vote. */
    LEARNER
  }

  public Member {
    Objects.requireNonNull(id);
    Objects.requireNonNull(kind);
    if (priority < 0 || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority [" + priority + "] is outside [0, " + MAX_PRIORITY + "]");
    }
    if (address.length() > MAX_ADDRESS_LENGTH) {
      throw new IllegalArgumentException(
          "address of [" + address.length() + "] characters exceeds [" + MAX_ADDRESS_LENGTH + "]");
    }
  }

  public static Member voter(MemberId id, String address) {
    return new Member(id, Kind.VOTER, 0, address);
  }

  public static Member witness(MemberId id, String address) {
    return new Member(id, Kind.WITNESS, 0, address);
  }

  public static Member learner(MemberId id, String address) {
    return new Member(id, Kind.LEARNER, 0, address);
  }

  /** True if its vote and its log count towards a majority. */
  public boolean votes() {
    return kind != Kind.LEARNER;
  }

  public boolean isWitness() {
    return kind == Kind.WITNESS;
  }

  public Member as(Kind changed) {
    return new Member(id, changed, priority, address);
  }

  public Member withPriority(int changed) {
    return new Member(id, kind, changed, address);
  }

  @Override
  public String toString() {
    return id + ":" + kind.name().charAt(0) + (priority == 0 ? "" : "/" + priority);
  }
}
