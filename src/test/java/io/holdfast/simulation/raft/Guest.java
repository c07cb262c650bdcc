package io.holdfast.simulation.raft;

import io.holdfast.raft.ConsensusLog;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.ReadOutcome;

/** The application of a member's process, in simulations of more than the log itself. */
public interface Guest extends ConsensusLog.StateMachine {

  /** The outcome of a proposal of this process. */
  void outcome(ProposalOutcome outcome);

  /** The outcome of a read of this process. */
  void read(ReadOutcome outcome);
}
