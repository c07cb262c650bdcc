package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an id to replay: a state, or null, and the events after it.
 *
 * @param stateSequenceNr the last event that the state includes; 0 without a state
 * @param firstSequenceNr of the first event; the others follow without gaps
 */
public record Replay(
    @Nullable Bytes state, long stateSequenceNr, long firstSequenceNr, List<Bytes> events) {

  static final Replay EMPTY = new Replay(null, 0, 1, List.of());

  public Replay {
    events = List.copyOf(events);
  }
}
