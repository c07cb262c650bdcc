package holdfast.lock;

import java.util.List;

/**
 * What a lock does about one command: the events to persist, then what to tell whom.
 *
 * @param outcome for the one who sent the command
 * @param notices for requests that waited, and whose waiting this ends
 * @param settlements what requests came to for good; to be kept with the events
 * @param changes whether the command itself changes something; if not, the events only let go of
 *     what hung on a lease that has ended
 * @param kept whether every copy of a lock request has this outcome, however late it comes; true
 *     for other commands
 */
public record Decision(
    List<LockEvent> events,
    Outcome outcome,
    List<Notice> notices,
    List<Settlement> settlements,
    boolean changes,
    boolean kept) {

  /**
   * The end of one request's waiting.
   *
   * @param kept whether every copy of the request has this outcome
   */
  public record Notice(RequestId request, Outcome outcome, boolean kept) {}

  /** What one request came to. */
  public record Settlement(RequestId request, Settled settled) {}

  public Decision {
    events = List.copyOf(events);
    notices = List.copyOf(notices);
    settlements = List.copyOf(settlements);
  }
}
