package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.PersistenceId;
import org.jspecify.annotations.Nullable;

/**
 * One event of an id's history with its effects, applied as a whole or not at all.
 *
 * @param sequenceNr the sequence number of the event: counts the id's appends, without gaps
 * @param event the event as bytes; the journal does not look inside
 * @param state the state after the event, which replaces the history; null to keep the history
 */
public record Append(
    AppendId id,
    PersistenceId persistenceId,
    long sequenceNr,
    Bytes event,
    @Nullable Bytes state,
    Draft draft) {

  public static final int MAX_ID_BYTES = 1024;

  /** The most bytes of an event, record or one outcome, and of all public changes. */
  public static final int MAX_BYTES = 1 << 20;

  /** The most bytes of a state: that of a lock has all who wait. */
  public static final int MAX_STATE_BYTES = 5 << 19;

  public Append {
    Required.within("id length", idBytes(persistenceId.value()), 1, MAX_ID_BYTES);
    Required.within("sequence number", sequenceNr, 1, Long.MAX_VALUE - 1);
    Required.within("event", event.size(), 0, MAX_BYTES);
    Required.within("state", state == null ? 0 : state.size(), 0, MAX_STATE_BYTES);
    Required.that(!draft.tombstone() || state == null, "a tombstone has a state");
  }

  /**
   * The length of an id in UTF-8. For a short one, which surely fits, only its length in
   * characters.
   */
  private static int idBytes(String id) {
    return id.length() <= MAX_ID_BYTES / 3 ? id.length() : Bytes.of(id).size();
  }
}
