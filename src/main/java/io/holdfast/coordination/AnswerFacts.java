package io.holdfast.coordination;

import io.holdfast.id.Revision;

/** The facts about a node and its state that stand in every answer of it. */
public interface AnswerFacts {

  /** The ids of this node and of its cluster. */
  NodeIdentity identity();

  /**
   * The number of public changes that this node has applied; to be asked before the state is read.
   */
  Revision revision();

  /** This node's wall clock, in milliseconds since 1970. Only for showing. */
  long wallMs();

  /** The last term of the log that this node knows of. */
  long term();
}
