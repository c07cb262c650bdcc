package io.holdfast.coordination.following;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.member.CoordinationReplica.Written;
import java.util.List;

/**
 * A message between a service and the node at which it follows the log. Any message may be lost.
 * Those of one sender arrive in order.
 */
public sealed interface LogMessage {

  /** The name of each node's actor that these messages go to. */
  String ACTOR = "holdfast-log";

  /** To a node. */
  sealed interface ToNode extends LogMessage {}

  /** From a node. */
  sealed interface FromNode extends LogMessage {}

  /**
   * Begins to follow, with the current state.
   *
   * @param applied the last entry that the service has applied; an older state is of no use to it
   */
  record Begin(long applied) implements ToNode {}

  /** A keepalive of a follower. */
  record Follow() implements ToNode {}

  /**
   * Proposes an entry to the log.
   *
   * @param number stands in the answer
   */
  record Propose(long number, Bytes payload) implements ToNode {}

  /** Asks for an answer after all entries that are applied on any node now. */
  record Catch(long number) implements ToNode {}

  /** A part of the state after the entry with this index. The whole has so many bytes. */
  record ImagePart(long index, int offset, int total, Bytes bytes) implements FromNode {}

  /**
   * Applied entries.
   *
   * @param after the index of the last entry that was sent before
   */
  record Entries(long after, List<Written> entries) implements FromNode {
    public Entries {
      entries = List.copyOf(entries);
    }
  }

  /** The outcome of a proposal. If it was applied, the entry was sent before. */
  record Proposed(long number, Became became) implements FromNode {}

  /** The possible outcomes of a proposal. */
  enum Became {
    APPLIED,
    REFUSED,
    UNKNOWN
  }

  /** The answer to {@link Catch}. Not safe if the node does not reach a majority. */
  record Caught(long number, boolean isSafe) implements FromNode {}

  /**
   * The status of the node, and of the service as a follower at it.
   *
   * @param told the last entry that was sent; {@link #NOTHING} if the service does not follow here
   * @param serves true if the node reaches a majority
   */
  record FollowStatus(long told, boolean serves) implements FromNode {
    public static final long NOTHING = -1;
  }
}
