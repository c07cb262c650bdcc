package holdfast.journal.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An append in the making: one event, and nothing else until it is said. */
final class Draft {

  static final Bytes NOTE = Bytes.of("note");

  private final Turn turn;
  private final String id;
  private final long sequenceNr;
  private final List<Bytes> events = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private @Nullable Bytes state;
  private final List<PublicChange> changes = new ArrayList<>(List.of(PublicChange.none()));
  private @Nullable LeaseChange leaseChange;
  private long forgetBefore;
  private List<LeaseRef> leases = List.of();
  private List<LeaseRef> whileAlive = List.of();
  private boolean tombstone;
  private Need need = Need.NOTHING;
  private int waiters;

  private Draft(Turn turn, String id, long sequenceNr, String event) {
    this.turn = turn;
    this.id = id;
    this.sequenceNr = sequenceNr;
    events.add(Bytes.of(event));
  }

  static Draft of(Turn turn, String id, long sequenceNr, String event) {
    return new Draft(turn, id, sequenceNr, event);
  }

  Draft then(String event) {
    events.add(Bytes.of(event));
    changes.add(PublicChange.none());
    return this;
  }

  Draft state(String content) {
    state = Bytes.of(content);
    return this;
  }

  /** What the last event so far shows, in one part. */
  Draft shows(String content) {
    return shows(Part.of(Bytes.of(content)));
  }

  Draft shows(Part... parts) {
    return changes(new PublicChange.Set(List.of(parts), NOTE));
  }

  Draft showsNothing() {
    return changes(new PublicChange.Absent(NOTE));
  }

  private Draft changes(PublicChange change) {
    changes.set(changes.size() - 1, change);
    return this;
  }

  Draft begins(long lease) {
    leaseChange = new LeaseChange.Begins(lease);
    return this;
  }

  Draft ends(LeaseRef lease) {
    leaseChange = new LeaseChange.Ends(lease.id(), lease.incarnation());
    return showsNothing();
  }

  Draft forgetBefore(long order) {
    forgetBefore = order;
    return this;
  }

  Draft attaches(LeaseRef... attached) {
    leases = List.of(attached);
    return this;
  }

  Draft attaches(List<LeaseRef> attached) {
    leases = attached;
    return this;
  }

  Draft whileAlive(LeaseRef... needed) {
    whileAlive = List.of(needed);
    return this;
  }

  Draft answers(Request request, String outcome) {
    answers.add(new Answer(request, Bytes.of(outcome)));
    return this;
  }

  Draft tombstone() {
    tombstone = true;
    return showsNothing();
  }

  Draft needs(Need room) {
    need = room;
    return this;
  }

  Draft waiters(int wait) {
    waiters = wait;
    return this;
  }

  Append done() {
    return new Append(
        turn,
        id,
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
        need,
        waiters);
  }
}
