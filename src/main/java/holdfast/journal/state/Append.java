package holdfast.journal.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events that follow the history of one id, and all that must become true with them or not at all.
 *
 * @param sequenceNr of the first event; the others follow it without gaps
 * @param events with all that is needed to read them; the journal does not look inside
 * @param state what the events lead to; it replaces the history. Null to keep the history
 * @param publicChange what it leaves for everyone to see
 * @param leases all that the id hangs on from now on, in place of those before
 * @param answers the requests that this answers, each only once
 * @param whileAlive leases without which it must not be applied
 * @param tombstone whether this leaves the id free and unwanted: the journal then forgets it
 */
public record Append(
    Turn turn,
    String persistenceId,
    long sequenceNr,
    List<Bytes> events,
    @Nullable Bytes state,
    PublicChange publicChange,
    List<LeaseRef> leases,
    List<Answer> answers,
    List<LeaseRef> whileAlive,
    boolean tombstone) {

  public static final int MAX_ID_BYTES = 1024;

  /** The most bytes of events, state, record or one outcome. */
  public static final int MAX_BYTES = 1 << 20;

  public static final int MAX_LEASES = 65_535;

  public Append {
    events = List.copyOf(events);
    leases = List.copyOf(leases);
    answers = List.copyOf(answers);
    whileAlive = List.copyOf(whileAlive);
    Required.within("id length", idBytes(persistenceId), 1, MAX_ID_BYTES);
    Required.within("sequence number", sequenceNr, 1, Long.MAX_VALUE - events.size());
    Required.that(!events.isEmpty(), "an append has no event");
    Required.within("leases", leases.size(), 0, MAX_LEASES);
    Required.within("events", bytes(events), 0, MAX_BYTES);
    Required.within("state", state == null ? 0 : state.size(), 0, MAX_BYTES);
    for (Answer answer : answers) {
      Required.within("outcome", answer.outcome().size(), 0, MAX_BYTES);
    }
    Required.that(
        answers.size() < 2
            || answers.stream().map(Append::request).distinct().count() == answers.size(),
        "an append answers a request twice");
    Required.that(
        !tombstone
            || (state == null && leases.isEmpty() && publicChange instanceof PublicChange.Absent),
        "a tombstone leaves something behind");
  }

  /** How long an id is in UTF-8; of a short one, which surely fits, only that it is not empty. */
  private static int idBytes(String id) {
    return id.length() <= MAX_ID_BYTES / 3 ? id.length() : Bytes.of(id).size();
  }

  private static long bytes(List<Bytes> events) {
    long bytes = 0;
    for (Bytes event : events) {
      bytes += event.size();
    }
    return bytes;
  }

  private static List<Object> request(Answer answer) {
    return List.of(answer.request().client(), answer.request().number());
  }

  /** The number of the last event. */
  public long lastSequenceNr() {
    return sequenceNr + events.size() - 1;
  }
}
