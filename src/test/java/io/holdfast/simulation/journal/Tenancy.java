package io.holdfast.simulation.journal;

import io.holdfast.journal.state.Bounds;
import io.holdfast.raft.core.MemberId;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The application of a world: what its nodes run for their shards, the clients that ask for it, and
 * the invariants.
 */
public interface Tenancy {

  /** The bounds of the journal. */
  Bounds bounds();

  /** True if the journal's events are those of the model of a lock. */
  boolean isModel();

  /** The bytes of state that a process has room for; 0 if it does not say. */
  default long stateCapacity(JournalWorld world) {
    return 0;
  }

  /** All that must hold of it. */
  List<JournalInvariant> invariants(JournalWorld world);

  /** The tenant of a new process. */
  Tenant begin(NodeProcess process, SplittableRandom by);

  /** The number of members that found the cluster. */
  default int members(SplittableRandom by) {
    return by.nextInt(8) == 0 ? 2 : 3;
  }

  /** True if the next process applies the log on a thread of its own. */
  default boolean appliesApart(SplittableRandom by) {
    return false;
  }

  /**
   * The time for which all nodes are down at once, in the middle of the trouble; 0 if they are not.
   */
  default long outageUs() {
    return 0;
  }

  /** A process is about to leave; says how long it takes to. */
  default int leavesUs(NodeProcess process) {
    return 0;
  }

  /** A member was removed, and its process is gone for good. */
  default void removed(MemberId member) {}

  /** The nodes are there: whoever asks them begins. */
  default void begin() {}

  /** All is calm, and the cluster serves: who lives asks once more for all that it ever did. */
  default void askOnceMore() {}

  /** A request of a client that lives which was not served; null if all were. */
  default @Nullable Object unserved() {
    return null;
  }

  /** Everybody was served: who asks dies, and nobody asks for anything new. */
  default void windDown() {}

  /**
   * Something that has not come to its end yet, though nobody asks for anything; null if there is
   * none.
   */
  default @Nullable Object lack() {
    return null;
  }
}
