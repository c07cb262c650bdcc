package io.holdfast.journal.state;

/**
 * What an actor was after an event, kept because it asked for that.
 *
 * @param sequenceNr the last event that it counts in
 * @param timestamp the actor's; the journal only compares it
 * @param content with all that is needed to read it; the journal does not look inside
 */
public record SavedSnapshot(long sequenceNr, long timestamp, Bytes content) {

  public SavedSnapshot {
    Required.within("sequence number", sequenceNr, 0, Long.MAX_VALUE);
    Required.within("snapshot", content.size(), 0, Append.MAX_BYTES);
  }
}
