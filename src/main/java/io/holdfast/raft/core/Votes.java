package io.holdfast.raft.core;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answers to one campaign. */
final class Votes {

  private final Set<MemberId> granted = new HashSet<>();
  private final Set<MemberId> refused = new HashSet<>();
  private final @Nullable MemberId silent;

  /**
   * @param silent a voter that will hardly answer, because its process has ended; null if none
   */
  Votes(@Nullable MemberId silent) {
    this.silent = silent;
  }

  /** Counts a voter's answer; its first one stands. */
  void count(MemberId voter, boolean grants) {
    if (!granted.contains(voter) && !refused.contains(voter)) {
      (grants ? granted : refused).add(voter);
    }
  }

  boolean won(Configuration configuration) {
    return Quorum.among(configuration, granted::contains);
  }

  /**
   * True if those who have not refused are too few to win. Once somebody has, the silent voter is
   * no hope either: two members that split the vote would each wait a whole timeout for it.
   */
  boolean lost(Configuration configuration) {
    return !Quorum.among(configuration, voter -> !refused.contains(voter) && !isNoHope(voter));
  }

  private boolean isNoHope(MemberId voter) {
    return voter.equals(silent) && !refused.isEmpty() && !granted.contains(voter);
  }
}
