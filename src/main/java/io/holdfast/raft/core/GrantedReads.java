package io.holdfast.raft.core;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Reads that have their index and wait until it is given out to be applied. */
final class GrantedReads {

  private record Granted(long index, List<Long> ids) {}

  private final RaftLog log;
  private final Outbox out;
  private final Deque<Granted> queue = new ArrayDeque<>();
  private int count;

  GrantedReads(RaftLog log, Outbox out) {
    this.log = log;
    this.out = out;
  }

  void grant(long index, List<Long> ids) {
    queue.add(new Granted(index, ids));
    count += ids.size();
  }

  void release() {
    while (!queue.isEmpty() && queue.peek().index <= log.handedOver()) {
      Granted next = queue.remove();
      count -= next.ids.size();
      next.ids.forEach(id -> out.read(ReadOutcome.safe(id, next.index)));
    }
  }

  /** Refuses all, for a member that no longer applies anything. */
  void refuse() {
    while (!queue.isEmpty()) {
      Granted next = queue.remove();
      count -= next.ids.size();
      next.ids.forEach(id -> out.read(ReadOutcome.refused(id, RaftRefusal.NOT_ELIGIBLE)));
    }
  }

  int count() {
    return count;
  }
}
