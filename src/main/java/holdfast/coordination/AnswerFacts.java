package holdfast.coordination;

/** What every answer of a node says of the node and of the state that it speaks of. */
public interface AnswerFacts {

  /** Which node this is, and of which cluster. */
  NodeIdentity identity();

  /** How many public changes this node has applied; to be asked before the state is read. */
  long revision();

  /** This node's wall clock, in milliseconds since 1970. Only for showing. */
  long wallMs();

  /** The last term of the log that this node knows of. */
  long term();
}
