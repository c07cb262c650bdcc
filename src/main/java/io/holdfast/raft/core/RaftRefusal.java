package io.holdfast.raft.core;

/** The reason for which the core certainly does not do what it was asked to. */
public enum RaftRefusal {
  /** No leader is known. */
  NO_LEADER,
  /** Only the leader takes this request, and this member is not it. */
  NOT_LEADER,
  /** The leader changed before the request could be carried out. */
  LEADER_CHANGED,
  /** The directory belongs to no cluster yet. */
  NOT_FORMED,
  /** The directory belongs to a cluster already. */
  ALREADY_FORMED,
  /** A payload is larger than {@link Settings#maxProposalBytes()}. */
  TOO_LARGE,
  /** As many proposals or reads as allowed are waiting already. */
  QUEUE_FULL,
  /** The leader is handing over. */
  HANDING_OVER,
  /** The leader is a witness, which only hands over. */
  WITNESS_LEADS,
  /** Another change of membership is not finished. */
  CHANGE_PENDING,
  /** The member to promote is too far behind. */
  NOT_CAUGHT_UP,
  /** The request names a member that cannot take this part. */
  NOT_ELIGIBLE,
  /** Another entry was committed at the proposal's index. */
  OVERWRITTEN,
  /** The successor did not take over in time, and the leader goes on. */
  NOT_TAKEN_OVER,
  /** This member has stopped, or is stopping. */
  STOPPED
}
