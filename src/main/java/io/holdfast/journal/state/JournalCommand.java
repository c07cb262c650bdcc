package io.holdfast.journal.state;

import java.util.List;

/** What can be asked of the journal in one entry of the log. */
public sealed interface JournalCommand {

  /** Several appends that came together. Each is judged alone, after those before it. */
  record AppendBatch(List<Append> appends) implements JournalCommand {
    public AppendBatch {
      appends = List.copyOf(appends);
    }
  }

  /**
   * Drop the events up to this number, and a state that is older than it. The id keeps its highest
   * number: only a tombstone forgets an id.
   */
  record DeleteTo(Turn turn, String persistenceId, long toSequenceNr) implements JournalCommand {}

  /** Keep what the id's actor was after an event. */
  record SaveSnapshot(Turn turn, String persistenceId, SavedSnapshot snapshot)
      implements JournalCommand {}

  /** Drop these snapshots of an id. */
  record DeleteSnapshots(Turn turn, String persistenceId, SnapshotRange range)
      implements JournalCommand {}

  /** One result for each kind of command; a new kind does not compile until every match has it. */
  interface Cases<R> {
    R appendBatch(AppendBatch batch);

    R deleteTo(DeleteTo delete);

    R saveSnapshot(SaveSnapshot save);

    R deleteSnapshots(DeleteSnapshots delete);
  }

  /** Answers with the case of this command's kind. */
  default <R> R match(Cases<R> cases) {
    if (this instanceof AppendBatch batch) {
      return cases.appendBatch(batch);
    } else if (this instanceof DeleteTo delete) {
      return cases.deleteTo(delete);
    } else if (this instanceof SaveSnapshot save) {
      return cases.saveSnapshot(save);
    } else if (this instanceof DeleteSnapshots delete) {
      return cases.deleteSnapshots(delete);
    }
    throw new AssertionError(this);
  }
}
