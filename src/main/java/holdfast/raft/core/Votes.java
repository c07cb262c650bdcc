package holdfast.raft.core;

import java.util.HashSet;
import java.util.Set;

/** The answers to one campaign. */
final class Votes {

  private final Set<MemberId> granted = new HashSet<>();
  private final Set<MemberId> refused = new HashSet<>();

  /** Counts a voter's answer; its first one stands. */
  void count(MemberId voter, boolean grants) {
    if (!granted.contains(voter) && !refused.contains(voter)) {
      (grants ? granted : refused).add(voter);
    }
  }

  boolean won(Configuration configuration) {
    return Quorum.among(configuration, granted::contains);
  }

  /** Whether those who have not refused are too few to win. */
  boolean lost(Configuration configuration) {
    return !Quorum.among(configuration, voter -> !refused.contains(voter));
  }
}
