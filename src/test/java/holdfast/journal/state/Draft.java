package holdfast.journal.state;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An append in the making: one event, and nothing else until it is said. */
final class Draft {

  private final Turn turn;
  private final String id;
  private final long sequenceNr;
  private final List<Bytes> events = new ArrayList<>();
  private final List<Answer> answers = new ArrayList<>();
  private @Nullable Bytes state;
  private PublicChange publicChange = new PublicChange.None();
  private List<LeaseRef> leases = List.of();
  private List<LeaseRef> whileAlive = List.of();
  private boolean tombstone;

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
    return this;
  }

  Draft state(String content) {
    state = Bytes.of(content);
    return this;
  }

  Draft shows(String content) {
    publicChange = new PublicChange.Set(Bytes.of(content));
    return this;
  }

  Draft showsNothing() {
    publicChange = new PublicChange.Absent();
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

  Draft answers(Client client, long number, long lowestOpen, String outcome) {
    answers.add(new Answer(new Request(client, number, lowestOpen), Bytes.of(outcome)));
    return this;
  }

  Draft tombstone() {
    tombstone = true;
    return showsNothing();
  }

  Append done() {
    return new Append(
        turn, id, sequenceNr, events, state, publicChange, leases, answers, whileAlive, tombstone);
  }
}
