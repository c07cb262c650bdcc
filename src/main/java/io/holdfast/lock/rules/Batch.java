package io.holdfast.lock.rules;

import io.holdfast.lock.Decision;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import java.util.List;
import java.util.Map;

/**
 * The decision of a lock about a batch of commands: the events to persist at once, and the answers
 * to send after that. Made for one reader: its collections are not copied and not changed.
 *
 * @param before the lock before the events
 * @param states the lock after each of the events
 * @param decisions one for each command, in the order of the commands
 * @param notices for requests that stopped waiting
 * @param recorded the final outcomes of requests, to be persisted with the events
 */
public record Batch(
    LockState before,
    List<LockEvent> events,
    List<LockState> states,
    List<Decision> decisions,
    List<Notice> notices,
    Map<RequestId, RecordedOutcome> recorded) {

  /**
   * Notifies one request that its wait has ended.
   *
   * @param kept true if every copy of the request gets this outcome
   * @param at the number of events of the batch that the outcome reflects
   */
  public record Notice(RequestId request, Outcome outcome, boolean kept, int at) {}

  /** The lock after all events. */
  public LockState after() {
    return states.isEmpty() ? before : states.get(states.size() - 1);
  }
}
