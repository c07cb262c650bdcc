package io.holdfast.lock;

import java.util.List;
import java.util.Map;

/**
 * The decision of a lock about commands that came together: the events to persist at once, then
 * what to tell whom. Made for one reader: its collections are not copied, and nobody changes them.
 *
 * @param before the lock before the events
 * @param states the lock after each of the events
 * @param decisions one for each command, in their order
 * @param notices for requests that waited, and whose waiting has ended
 * @param settled what requests came to for good; to be kept with the events
 */
public record Batch(
    LockState before,
    List<LockEvent> events,
    List<LockState> states,
    List<Decision> decisions,
    List<Notice> notices,
    Map<RequestId, Settled> settled) {

  /**
   * The end of one request's waiting.
   *
   * @param kept whether every copy of the request has this outcome
   * @param at how many of the batch's events had happened: it speaks of the lock as it was then
   */
  public record Notice(RequestId request, Outcome outcome, boolean kept, int at) {}

  /** The lock after all events. */
  public LockState after() {
    return states.isEmpty() ? before : states.get(states.size() - 1);
  }
}
