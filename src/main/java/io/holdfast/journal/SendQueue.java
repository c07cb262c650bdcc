package io.holdfast.journal;

import io.holdfast.journal.EpochQueue.Writing;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Bytes;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.RequestKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The appends that wait to be sent, and which of them go into the next entry together. */
final class SendQueue {

  /** The longest append; an entry of that length, and what goes with it, must fit the log. */
  static final long MAX_BYTES = 3L << 20;

  private static final int APPENDS_AN_ENTRY = 512;
  private static final long BYTES_AN_ENTRY = 256 << 10;
  private static final long OVERHEAD = 64;
  private static final long OVERHEAD_OF_PART = 32;
  private static final long OVERHEAD_OF_ANSWER = 64 + RequestKey.Named.MAX_BYTES;

  private final Deque<Writing> waiting = new ArrayDeque<>();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  void add(Writing writing) {
    waiting.add(writing);
  }

  /** Puts all that a lane has to send before everything else. */
  void goOn(EpochQueue lane) {
    waiting.removeIf(writing -> writing.lane == lane);
    List<Writing> again = lane.goOn();
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
  }

  /** A lane pauses: what it has here waits with what came back. */
  void pause(EpochQueue lane) {
    waiting.removeIf(writing -> writing.lane == lane);
  }

  /** The first ones, as many as go into one entry. */
  List<Writing> take() {
    List<Writing> together = new ArrayList<>();
    long bytes = 0;
    while (!waiting.isEmpty() && together.size() < APPENDS_AN_ENTRY) {
      Writing next = waiting.element();
      bytes += next.bytes;
      if (!together.isEmpty() && bytes > BYTES_AN_ENTRY) {
        break;
      }
      waiting.remove();
      next.sent();
      together.add(next);
    }
    return together;
  }

  static List<Append> appends(List<Writing> together) {
    List<Append> appends = new ArrayList<>(together.size());
    for (Writing writing : together) {
      appends.add(writing.append);
    }
    return appends;
  }

  /** About how long an append is in an entry; rather too much than too little. */
  static long bytes(Append append) {
    Draft draft = append.draft();
    Bytes state = append.state();
    long bytes = OVERHEAD + 3L * append.persistenceId().length() + append.event().size();
    bytes += state == null ? 0 : state.size();
    for (PublicChange change : draft.changes()) {
      bytes += OVERHEAD_OF_PART + change.bytes();
      if (change instanceof PublicChange.Set set) {
        bytes += OVERHEAD_OF_PART * set.parts().size();
      }
    }
    for (AnsweredRequest answer : draft.answers()) {
      bytes += OVERHEAD_OF_ANSWER + answer.outcome().size();
    }
    return bytes + OVERHEAD_OF_PART * (draft.leases().size() + draft.whileAlive().size());
  }
}
