package io.holdfast.lock;

import io.holdfast.lock.Batch.Notice;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A batch in the making: what has happened to the lock so far, command by command. */
final class Unfolding {

  private final LockState first;
  private final List<LockEvent> events = new ArrayList<>(1);
  private final List<LockState> states = new ArrayList<>(1);
  private final List<Notice> notices = new ArrayList<>(0);
  private final Map<RequestId, Settled> settled = new LinkedHashMap<>(2);

  /** The command that is decided now finds the lock so. */
  private LockState found;

  private LockState state;
  private int eventsBefore;
  private int noticesBefore;
  private int settledBefore;

  Unfolding(LockState first) {
    this.first = first;
    found = first;
    state = first;
  }

  /** The next command is decided now. */
  void next() {
    found = state;
    eventsBefore = events.size();
    noticesBefore = notices.size();
    settledBefore = settled.size();
  }

  /** Nothing comes of this command. */
  void takeBack() {
    state = found;
    events.subList(eventsBefore, events.size()).clear();
    states.subList(eventsBefore, states.size()).clear();
    notices.subList(noticesBefore, notices.size()).clear();
    Iterator<RequestId> requests = settled.keySet().iterator();
    for (int i = 0; requests.hasNext(); i++) {
      requests.next();
      if (i >= settledBefore) {
        requests.remove();
      }
    }
  }

  /** The lock as this command found it. */
  LockState found() {
    return found;
  }

  /** The lock now. */
  LockState state() {
    return state;
  }

  /** The number of events so far. */
  int size() {
    return events.size();
  }

  /** Nowhere else is an event applied by the node that decides it. */
  void happened(LockEvent event) {
    state = state.apply(event);
    events.add(event);
    states.add(state);
  }

  /** The waiting of a request has ended with the last event. */
  void waited(RequestId request, Outcome outcome, boolean kept) {
    notices.add(new Notice(request, outcome, kept, events.size()));
  }

  /** A request came to this for good. */
  void settle(RequestId request, Settled outcome) {
    if (settled.put(request, outcome) != null) {
      throw new IllegalStateException("[" + request + "] is settled twice");
    }
  }

  Optional<Settled> settled(RequestId request) {
    @Nullable Settled outcome = settled.get(request);
    return Optional.ofNullable(outcome);
  }

  /** Counts the requests of a client without a session that earlier commands have settled. */
  int settledBefore(ClientId client) {
    int count = 0;
    int left = settledBefore;
    for (RequestId request : settled.keySet()) {
      if (left-- <= 0) {
        break;
      } else if (request.keptBy().isEmpty() && request.client().equals(client)) {
        count++;
      }
    }
    return count;
  }

  Batch batch(List<Decision> decisions) {
    return new Batch(first, events, states, decisions, notices, settled);
  }
}
