package io.holdfast.coordination;

import io.holdfast.id.Revision;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletionStage;

/** Copies of all that the log drives, each of one place of the log. */
@FunctionalInterface
public interface StateCopies {

  /** The size and the place in the log of a copy. */
  record Facts(
      long appliedIndex,
      Revision revision,
      long locks,
      long leases,
      Administration.ClusterView cluster) {}

  /** A state held fast. To be closed, which is safe to repeat. */
  interface Copy extends AutoCloseable {

    /** The facts about the copy; may take a while, as it counts. */
    Facts facts();

    /** Writes all of it, as the state machines do into the node's own snapshots. */
    void writeTo(OutputStream out) throws IOException;

    @Override
    void close();
  }

  /** Takes a copy of what this node has applied by now. */
  CompletionStage<Copy> take();
}
