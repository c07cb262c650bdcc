package io.holdfast.raft.core;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The answers of voters in one election. */
final class Votes {

  private final Set<MemberId> granted = new HashSet<>();
  private final Set<MemberId> refused = new HashSet<>();
  private final @Nullable MemberId silent;

  /**
   * @param silent a voter that hardly answers, since its process has ended; null if there is none
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
   * True if those who have not refused are too few to win. After a refusal, the silent voter is not
   * waited for either: two members that split the vote would each wait a whole timeout for it.
   */
  boolean lost(Configuration configuration) {
    return !Quorum.among(configuration, voter -> !refused.contains(voter) && !isNoHope(voter));
  }

  private boolean isNoHope(MemberId voter) {
    return voter.equals(silent) && !refused.isEmpty() && !granted.contains(voter);
  }
}
