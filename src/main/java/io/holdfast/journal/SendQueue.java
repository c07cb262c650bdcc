package io.holdfast.journal;

import io.holdfast.bytes.Bytes;
import io.holdfast.journal.EpochQueue.PendingAppend;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.RequestKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The queue of appends to send. It decides which of them the next entry has. */
final class SendQueue {

  /** The most bytes of an append. An entry of that length must fit into the log. */
  static final long MAX_BYTES = 15L << 18;

  private static final int APPENDS_AN_ENTRY = 512;
  private static final long BYTES_AN_ENTRY = 256 << 10;
  private static final long OVERHEAD = 64;
  private static final long OVERHEAD_OF_PART = 32;
  private static final long OVERHEAD_OF_ANSWER = 64;

  private final Deque<PendingAppend> waiting = new ArrayDeque<>();

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }

  void add(PendingAppend pending) {
    waiting.add(pending);
  }

  /** Puts all appends of a queue that resumes before all others. */
  void resume(EpochQueue queue) {
    waiting.removeIf(pending -> pending.queue == queue);
    List<PendingAppend> again = queue.resume();
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
  }

  /** Takes out the appends of a queue that pauses. */
  void pause(EpochQueue queue) {
    waiting.removeIf(pending -> pending.queue == queue);
  }

  /** Removes the first appends, as many as one entry may have. */
  List<PendingAppend> take() {
    List<PendingAppend> together = new ArrayList<>();
    long bytes = 0;
    while (!waiting.isEmpty() && together.size() < APPENDS_AN_ENTRY) {
      PendingAppend next = waiting.element();
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

  static List<Append> appends(List<PendingAppend> together) {
    List<Append> appends = new ArrayList<>(together.size());
    for (PendingAppend pending : together) {
      appends.add(pending.append);
    }
    return appends;
  }

  /** The approximate length of an append in an entry, never too low. */
  static long bytes(Append append) {
    Draft draft = append.draft();
    Bytes state = append.state();
    long bytes = OVERHEAD + 3L * append.persistenceId().value().length() + append.event().size();
    bytes += state == null ? 0 : state.size();
    for (PublicChange change : draft.changes()) {
      bytes += OVERHEAD_OF_PART + change.bytes();
      if (change instanceof PublicChange.Set set) {
        bytes += OVERHEAD_OF_PART * set.parts().size();
      }
    }
    for (AnsweredRequest answer : draft.answers()) {
      bytes += OVERHEAD_OF_ANSWER + answer.outcome().size();
      bytes += answer.request() instanceof RequestKey.Named named ? named.bytes() : 0;
    }
    long leases = (long) draft.attach().size() + draft.detach().size() + draft.whileAlive().size();
    return bytes + OVERHEAD_OF_PART * leases;
  }
}
