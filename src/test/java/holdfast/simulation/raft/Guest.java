package holdfast.simulation.raft;

import holdfast.raft.ConsensusLog;
import holdfast.raft.core.Outcome;
import holdfast.raft.core.ReadOutcome;

/** What a member's process runs on the log, in simulations of more than the log itself. */
public interface Guest extends ConsensusLog.StateMachine {

  /** What became of a proposal of this process. */
  void outcome(Outcome outcome);

  /** What became of a read of this process. */
  void read(ReadOutcome outcome);
}
