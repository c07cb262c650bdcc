package io.holdfast.raft.core;

/** The role of a member in its term. */
public enum Role {
  FOLLOWER,
  /** Asks whether it would be voted for, in the term it has. */
  PRE_CANDIDATE,
  /** Asks for votes in a term of its own. */
  CANDIDATE,
  LEADER
}
