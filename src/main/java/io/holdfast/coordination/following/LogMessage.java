package io.holdfast.coordination.following;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.CoordinationMachine.Written;
import java.util.List;

/**
 * A message between a service and the node by which it follows the log. Any message may be lost;
 * those of one sender arrive in their order.
 */
sealed interface LogMessage {

  /** To a node. */
  sealed interface ToNode extends LogMessage {}

  /** From a node. */
  sealed interface FromNode extends LogMessage {}

  /**
   * Let me follow, from the state as it is.
   *
   * @param applied up to where the service has come; nothing older helps it
   */
  record Begin(long applied) implements ToNode {}

  /** I still follow. */
  record Follow() implements ToNode {}

  /**
   * Put this entry to the log.
   *
   * @param number given back with what became of it
   */
  record Propose(long number, Bytes payload) implements ToNode {}

  /** Tell me when you have told me of all that is applied anywhere now. */
  record Catch(long number) implements ToNode {}

  /** A part of the state after the entry of this index, which has so many bytes in all. */
  record ImagePart(long index, int offset, int total, Bytes bytes) implements FromNode {}

  /**
   * These were applied.
   *
   * @param after up to where the service was told before
   */
  record Entries(long after, List<Written> entries) implements FromNode {
    public Entries {
      entries = List.copyOf(entries);
    }
  }

  /** The outcome of a proposal. If it was applied, the service was told of the entry before. */
  record Proposed(long number, Became became) implements FromNode {}

  /** The possible outcomes of a proposal. */
  enum Became {
    APPLIED,
    REFUSED,
    UNKNOWN
  }

  /** All that was applied anywhere when it was asked for has been told; or nobody can say so. */
  record Caught(long number, boolean isSafe) implements FromNode {}

  /**
   * The status of the node, and of the service as a follower at it.
   *
   * @param told up to where the service was told; {@link #NOTHING} if it does not follow here
   * @param serves whether the node hears from a majority
   */
  record FollowStatus(long told, boolean serves) implements FromNode {
    static final long NOTHING = -1;
  }
}
