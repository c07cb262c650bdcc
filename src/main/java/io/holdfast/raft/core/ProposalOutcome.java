package io.holdfast.raft.core;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a proposal: applied, certainly not applied, or unknown.
 *
 * @param id the number its proposer gave it
 * @param index the index at which it was applied; 0 unless applied
 * @param refusal the reason why it certainly will never be applied; null if it was or may yet be
 */
public record ProposalOutcome(long id, long index, @Nullable RaftRefusal refusal) {

  public static ProposalOutcome applied(long id, long index) {
    return new ProposalOutcome(id, index, null);
  }

  public static ProposalOutcome refused(long id, RaftRefusal refusal) {
    return new ProposalOutcome(id, 0, refusal);
  }

  public static ProposalOutcome unknown(long id) {
    return new ProposalOutcome(id, 0, null);
  }

  public boolean isApplied() {
    return index > 0;
  }

  public boolean isUnknown() {
    return index == 0 && refusal == null;
  }

  @Override
  public String toString() {
    return id
        + (isApplied() ? " applied at " + index : refusal == null ? " unknown" : " " + refusal);
  }
}
