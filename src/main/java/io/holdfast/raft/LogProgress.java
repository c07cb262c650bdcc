package io.holdfast.raft;

import io.holdfast.raft.core.MemberId;
import java.util.List;
import java.util.Map;

/**
 * The progress of a member's log at one moment.
 *
 * @param commit the last entry that is committed, as far as it knows
 * @param applied the last entry that its state machine has applied
 * @param last the last entry of its log
 * @param matches of each other member, the last entry that its disk is known to have; empty unless
 *     this member leads
 * @param troubles the problems that an operator should look after, a phrase each; empty if all is
 *     well
 */
public record LogProgress(
    long commit, long applied, long last, Map<MemberId, Long> matches, List<String> troubles) {

  public LogProgress {
    matches = Map.copyOf(matches);
    troubles = List.copyOf(troubles);
  }
}
