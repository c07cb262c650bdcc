package io.holdfast.raft;

import io.holdfast.raft.core.Formation;
import io.holdfast.raft.core.Leadership;
import io.holdfast.raft.core.Member;
import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.ProposalOutcome;
import io.holdfast.raft.core.RaftRefusal;
import io.holdfast.raft.core.ReadOutcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A log that all members of a cluster agree on: proposed to from any node, applied in the same
 * order on every node.
 *
 * <p>Durability: what is applied is on the disks of a majority, and survives the loss of any
 * minority and of power everywhere. Every method may be called from any thread and returns at once;
 * stages complete on the log's own thread, which a dependent action must not block.
 */
public interface ConsensusLog extends AutoCloseable {

  /**
   * Proposes an entry.
   *
   * <p>The stage never fails. Its outcome is <em>applied</em> once the local state machine has
   * applied the entry, <em>certainly not</em> with a reason, or <em>unknown</em>: then the entry
   * may have been applied or may still be, and only the applied stream can tell.
   *
   * @param payload not written to afterwards
   */
  CompletionStage<ProposalOutcome> propose(byte[] payload);

  /**
   * Waits until the local state machine has applied everything that was applied anywhere when this
   * call was made. A refused barrier may be asked for again.
   */
  CompletionStage<ReadOutcome> readBarrier();

  /** The leader, as far as this node knows. */
  Leadership leadership();

  /** The members of the cluster, by this node's log. */
  List<Member> members();

  /** This node's own id. */
  MemberId self();

  /**
   * Changes the cluster to exactly these members. Completes empty when the change is settled, or
   * with the reason why it certainly was not begun; fails if the leader changed meanwhile.
   */
  CompletionStage<Optional<RaftRefusal>> changeMembers(List<Member> target);

  /** Makes another member the leader, if this node leads; completes when it no longer leads. */
  CompletionStage<Optional<RaftRefusal>> transferLeadership(MemberId successor);

  /** Stops taking part. Outcomes still open become unknown. */
  @Override
  void close();

  /**
   * The state that the log drives. All calls come from one thread, in log order.
   *
   * <p>An implementation must be a function of the entries alone: no clock, no randomness.
   */
  interface StateMachine {

    /** Applies one committed entry; each index is given once between two restores. */
    void apply(long index, long term, byte[] payload);

    /** The cluster was founded by this entry, the first of its log. */
    default void founded(long index, Formation formation) {}

    /**
     * The entry of a changed membership is committed: these belong to the cluster, by all that is
     * applied. While a change is under way, those before it and after it do.
     */
    default void configured(long index, List<Member> members) {}

    /** Called after each batch of {@link #apply}, when waiting callers may be answered. */
    default void batchApplied(long index) {}

    /** Takes the state as it is now; the result is written later, on another thread. */
    SnapshotSource snapshot();

    /** Replaces the state by one that {@link #snapshot} gave on some member. */
    void restore(long index, InputStream bytes) throws IOException;

    /** The leader has changed, or is not known any more. */
    default void leadershipChanged(Leadership leadership) {}

    /** The members of the cluster from now on, though it may not be committed yet. */
    default void membersChanged(List<Member> members) {}

    /**
     * The process of a member seems to have ended: its connection did, and its port refuses
     * another.
     */
    default void peerGone(MemberId peer) {}
  }

  /** A frozen state, to be written once while the live state changes. */
  interface SnapshotSource extends AutoCloseable {

    void writeTo(OutputStream out) throws IOException;

    /** Releases the frozen state. */
    @Override
    void close();
  }
}
