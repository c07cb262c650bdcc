package holdfast.raft;

import holdfast.raft.core.MemberId;
import java.util.Map;

/**
 * How far a member's log is, at one moment.
 *
 * @param commit the last entry that is committed, as far as it knows
 * @param applied the last entry that its state machine has applied
 * @param last the last entry of its log
 * @param matches of each other member, the last entry that its disk is known to have; empty unless
 *     this member leads
 */
public record LogProgress(long commit, long applied, long last, Map<MemberId, Long> matches) {

  public LogProgress {
    matches = Map.copyOf(matches);
  }
}
