package holdfast.journal.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Events that follow the history of one id, and all that must become true with them or not at all.
 *
 * @param sequenceNr of the first event; the others follow it without gaps
 * @param events with all that is needed to read them; the journal does not look inside
 * @param state what the events lead to; it replaces the history. Null to keep the history
 * @param changes what each event, in their order, leaves for everyone to see
 * @param leaseChange the lease that begins or ends with it; it has one event then
 * @param leases what the id hangs on from now on, in place of what was before. It also hangs on the
 *     leases of its record's parts
 * @param answers the requests that this answers, each only once
 * @param whileAlive leases without which it must not be applied
 * @param tombstone whether this leaves the id free and unwanted: the journal then forgets it
 * @param forgetBefore outcomes of named requests of the shard that came before this place are no
 *     longer needed, whatever becomes of the append; 0 if there are none
 * @param need how much room it needs
 * @param waiters how many requests wait for the id from now on
 */
public record Append(
    Turn turn,
    String persistenceId,
    long sequenceNr,
    List<Bytes> events,
    @Nullable Bytes state,
    List<PublicChange> changes,
    @Nullable LeaseChange leaseChange,
    List<LeaseRef> leases,
    List<Answer> answers,
    List<LeaseRef> whileAlive,
    boolean tombstone,
    long forgetBefore,
    Need need,
    int waiters) {

  public static final int MAX_ID_BYTES = 1024;

  /** The most bytes of events, state, record or one outcome, and of all public changes. */
  public static final int MAX_BYTES = 1 << 20;

  public static final int MAX_LEASES = 65_535;

  public static final int MAX_WAITERS = 65_535;

  public Append {
    events = List.copyOf(events);
    changes = List.copyOf(changes);
    leases = List.copyOf(leases);
    answers = List.copyOf(answers);
    whileAlive = List.copyOf(whileAlive);
    Required.within("id length", idBytes(persistenceId), 1, MAX_ID_BYTES);
    Required.within("sequence number", sequenceNr, 1, Long.MAX_VALUE - events.size());
    Required.that(!events.isEmpty(), "an append has no event");
    Required.within("public changes", changes.size(), events.size(), events.size());
    Required.within("leases", leases.size(), 0, MAX_LEASES);
    Required.within("leases needed", whileAlive.size(), 0, MAX_LEASES);
    Required.within("waiters", waiters, 0, MAX_WAITERS);
    Required.within("order", forgetBefore, 0, Long.MAX_VALUE);
    Required.within("events", bytes(events), 0, MAX_BYTES);
    Required.within("state", state == null ? 0 : state.size(), 0, MAX_BYTES);
    // What a record may have, and the notes of what is told about it.
    Required.within(
        "public changes", changeBytes(changes), 0, MAX_BYTES + PublicChange.MAX_NOTE_BYTES);
    for (Answer answer : answers) {
      Required.within("outcome", answer.outcome().size(), 0, MAX_BYTES);
    }
    Required.that(
        answers.size() < 2
            || answers.stream().map(Append::request).distinct().count() == answers.size(),
        "an append answers a request twice");
    PublicChange last = changes.get(changes.size() - 1);
    Required.that(
        !tombstone || (state == null && leases.isEmpty() && isAbsent(last)),
        "a tombstone leaves something behind");
    Required.that(
        leaseChange == null || events.size() == 1, "a lease changes with more than one event");
    Required.that(
        !(leaseChange instanceof LeaseChange.Begins) || isSet(last),
        "a lease begins without a record");
    Required.that(
        !(leaseChange instanceof LeaseChange.Ends) || isAbsent(last),
        "a lease ends and leaves its record");
  }

  /** One that no bound on all that is kept refuses, of an id that nobody waits for. */
  public Append(
      Turn turn,
      String persistenceId,
      long sequenceNr,
      List<Bytes> events,
      @Nullable Bytes state,
      List<PublicChange> changes,
      @Nullable LeaseChange leaseChange,
      List<LeaseRef> leases,
      List<Answer> answers,
      List<LeaseRef> whileAlive,
      boolean tombstone,
      long forgetBefore) {
    this(
        turn,
        persistenceId,
        sequenceNr,
        events,
        state,
        changes,
        leaseChange,
        leases,
        answers,
        whileAlive,
        tombstone,
        forgetBefore,
        Need.NOTHING,
        /* waiters= */ 0);
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

  private static long changeBytes(List<PublicChange> changes) {
    long bytes = 0;
    for (PublicChange change : changes) {
      bytes += change.bytes();
    }
    return bytes;
  }

  private static boolean isSet(PublicChange change) {
    return change instanceof PublicChange.Set;
  }

  private static boolean isAbsent(PublicChange change) {
    return change instanceof PublicChange.Absent;
  }

  private static Object request(Answer answer) {
    return answer.request() instanceof Request.Numbered numbered
        ? List.of(numbered.lease(), numbered.number())
        : answer.request();
  }

  /** The number of the last event. */
  public long lastSequenceNr() {
    return sequenceNr + events.size() - 1;
  }
}
