package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Verdict;
import java.util.List;

/** Something that always holds, told of everything that happens as it happens. */
public interface JournalInvariant {

  /** A command of coordination took its place in the log. */
  default void coordinated(CoordinationVerdict verdict) {}

  /** An append took its place in the log, with these changes. */
  default void judged(Append append, List<Change> changes, Verdict verdict) {}

  /** The public state has changed, by the entry whose appends are judged next. */
  default void changed(List<io.holdfast.journal.state.Change> changes) {}

  /** All appends of an entry were judged. */
  default void entryJudged() {}

  /** An actor heard that its changes are applied. */
  default void acknowledged(List<Change> changes) {}

  /** An actor heard that its changes are refused. */
  default void refused(List<Change> changes, Verdict verdict) {}

  /** A node has told a client that its lock lives on. */
  default void keptAlive(String key, long token) {}

  /** All is calm, and every member has applied everything. */
  default void ended() {}

  /** One that looks at the world after every event. Few do, since that is often. */
  interface EachEvent extends JournalInvariant {

    /** An event is over. */
    void happened();
  }
}
