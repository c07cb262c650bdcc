package io.holdfast.lock.rules;

import io.holdfast.lock.ClientId;
import io.holdfast.lock.Decision;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.rules.Batch.Notice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds a batch, command by command. */
final class BatchBuilder {

  private final LockState first;
  private final List<LockEvent> events = new ArrayList<>(1);
  private final List<LockState> states = new ArrayList<>(1);
  private final List<Notice> notices = new ArrayList<>(0);
  private final Map<RequestId, RecordedOutcome> recorded = new LinkedHashMap<>(2);

  /** The lock before the current command. */
  private LockState before;

  private LockState state;
  private int eventsBeforeCommand;
  private int noticesBeforeCommand;
  private int recordedBeforeCommand;

  BatchBuilder(LockState first) {
    this.first = first;
    before = first;
    state = first;
  }

  /** Begins the next command. */
  void beginCommand() {
    before = state;
    eventsBeforeCommand = events.size();
    noticesBeforeCommand = notices.size();
    recordedBeforeCommand = recorded.size();
  }

  /** Undoes the current command. */
  void rollBack() {
    state = before;
    events.subList(eventsBeforeCommand, events.size()).clear();
    states.subList(eventsBeforeCommand, states.size()).clear();
    notices.subList(noticesBeforeCommand, notices.size()).clear();
    Iterator<RequestId> requests = recorded.keySet().iterator();
    for (int i = 0; requests.hasNext(); i++) {
      requests.next();
      if (i >= recordedBeforeCommand) {
        requests.remove();
      }
    }
  }

  /** Returns the lock before the current command. */
  LockState before() {
    return before;
  }

  /** Returns the lock now. */
  LockState state() {
    return state;
  }

  /** Returns the number of events so far. */
  int size() {
    return events.size();
  }

  /** Applies an event. The deciding node applies it nowhere else. */
  void apply(LockEvent event) {
    state = state.apply(event);
    events.add(event);
    states.add(state);
  }

  /** Ends the wait of a request with the last event. */
  void endWait(RequestId request, Outcome outcome, boolean kept) {
    notices.add(new Notice(request, outcome, kept, events.size()));
  }

  /** Records the final outcome of a request. */
  void record(RequestId request, RecordedOutcome outcome) {
    if (recorded.put(request, outcome) != null) {
      throw new IllegalStateException("[" + request + "] has two outcomes");
    }
  }

  Optional<RecordedOutcome> recorded(RequestId request) {
    @Nullable RecordedOutcome outcome = recorded.get(request);
    return Optional.ofNullable(outcome);
  }

  /**
   * Counts the outcomes that earlier commands recorded for requests of a client without a session.
   */
  int recordedBefore(ClientId client) {
    int count = 0;
    int left = recordedBeforeCommand;
    for (RequestId request : recorded.keySet()) {
      if (left-- <= 0) {
        break;
      } else if (request.keptBy().isEmpty() && request.client().equals(client)) {
        count++;
      }
    }
    return count;
  }

  Batch build(List<Decision> decisions) {
    return new Batch(first, events, states, decisions, notices, recorded);
  }
}
