package holdfast.lock;

import java.util.List;
import java.util.Optional;

/**
 * What a lock does about one command: the events to persist, then what to tell whom.
 *
 * @param outcome for the one who sent the command
 * @param notices for requests that waited, and whose waiting this ends
 */
public record Decision(List<LockEvent> events, Outcome outcome, List<Notice> notices) {

  /** The end of one request's waiting. */
  public record Notice(RequestId request, Outcome outcome) {}

  public Decision {
    events = List.copyOf(events);
    notices = List.copyOf(notices);
  }

  /** The holder whose grant stands and was told so again: a sign of life, which changes nothing. */
  public Optional<Holder> renewed() {
    return events.isEmpty() && outcome instanceof Outcome.Acquired acquired
        ? Optional.of(acquired.holder())
        : Optional.empty();
  }

  static Decision refuse(Refusal refusal) {
    return answer(new Outcome.Refused(refusal));
  }

  static Decision answer(Outcome outcome) {
    return new Decision(List.of(), outcome, List.of());
  }

  static Decision persist(LockEvent event, Outcome outcome) {
    return new Decision(List.of(event), outcome, List.of());
  }

  static Decision persist(LockEvent event, Outcome outcome, Notice notice) {
    return new Decision(List.of(event), outcome, List.of(notice));
  }
}
