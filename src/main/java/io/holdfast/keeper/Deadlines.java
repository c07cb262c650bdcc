package io.holdfast.keeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * A queue of deadlines, by the time given as an argument. A due item is reported again after a
 * while, until it is removed, since the report may get lost.
 *
 * <p>Used by one thread at a time.
 */
final class Deadlines<K> {

  /* Moving a deadline is the common case, and changes one number. The queue keeps the time of its
   * next look at an item, which is never later than the deadline. An item that is not due then is
   * put back. So a deadline costs work in the queue once per ttl, however often it moves.
   *
   * A removed item stays in the queue until its time. When removed items outnumber the others, the
   * queue is rebuilt. A look that was replaced by an earlier one also stays until then.
   *
   * A reported item is in progress until it is removed or reported again: its receiver has work to
   * do, and the number of items in progress is bounded. An item that never ends blocks the others
   * for no longer than that, since items that are due for longer come first.
   */

  /** The number of removed items from which a rebuild is worth the work. */
  private static final int MIN_GONE = 1_024;

  private static final class Entry<K> {
    final K item;
    long deadline;
    long lookAt;
    boolean due;
    boolean removed;
    boolean inProgress;

    Entry(K item, long deadline) {
      this.item = item;
      this.deadline = deadline;
    }
  }

  private record Look<K>(long at, Entry<K> entry) {}

  private final long repeatAfter;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private PriorityQueue<Look<K>> looks = emptyQueue();
  private final Deque<Look<K>> reported = new ArrayDeque<>();
  private int removed;
  private int inProgress;

  /**
   * @param repeatAfter the time after which a due item is reported again
   */
  Deadlines(long repeatAfter) {
    this.repeatAfter = repeatAfter;
  }

  /** Moves a deadline to an earlier time, unless it was due before. */
  void atMost(K item, long deadline) {
    Entry<K> entry = entries.get(item);
    if (entry != null && !entry.due && deadline - entry.deadline < 0) {
      entry.deadline = deadline;
      look(entry);
    }
  }

  /** Sets a deadline, or moves it to a later time, unless it was due before. */
  void atLeast(K item, long deadline) {
    Entry<K> entry = entries.get(item);
    if (entry == null) {
      entry = new Entry<>(item, deadline);
      entries.put(item, entry);
      look(entry);
    } else if (!entry.due && deadline - entry.deadline > 0) {
      entry.deadline = deadline;
    }
  }

  /** Moves a deadline to a later time. False if it was due before, and stays so. */
  boolean renew(K item, long deadline) {
    if (isDue(item)) {
      return false;
    }
    atLeast(item, deadline);
    return true;
  }

  boolean has(K item) {
    return entries.containsKey(item);
  }

  /** True if the item was reported as due, and is not removed yet. */
  boolean isDue(K item) {
    Entry<K> entry = entries.get(item);
    return entry != null && entry.due;
  }

  void remove(K item) {
    Entry<K> entry = entries.remove(item);
    if (entry != null) {
      entry.removed = true;
      removed++;
      endProgress(entry);
      if (removed > MIN_GONE && removed > entries.size()) {
        looks = emptyQueue();
        entries.values().forEach(this::look);
        removed = 0;
      }
    }
  }

  /** Returns the remaining time of an item; empty if it has no deadline. */
  OptionalLong left(K item, long now) {
    Entry<K> entry = entries.get(item);
    return entry == null
        ? OptionalLong.empty()
        : OptionalLong.of(entry.due ? 0 : Math.max(0, entry.deadline - now));
  }

  private void look(Entry<K> entry) {
    entry.lookAt = entry.deadline;
    looks.add(new Look<>(entry.deadline, entry));
  }

  private static <K> PriorityQueue<Look<K>> emptyQueue() {
    return new PriorityQueue<>((a, b) -> Long.signum(a.at() - b.at()));
  }

  /** Returns the length of the queue, with removed items that are still in it. */
  int queued() {
    return looks.size();
  }

  int size() {
    return entries.size();
  }

  private void endProgress(Entry<K> entry) {
    if (entry.inProgress) {
      entry.inProgress = false;
      inProgress--;
    }
  }

  /** Returns the items that are due now, as many as may be in progress. */
  List<K> due(long now, int maxInProgress) {
    while (!reported.isEmpty() && reported.peek().at() - now <= 0) {
      endProgress(reported.remove().entry());
    }
    List<K> due = new ArrayList<>();
    while (inProgress < maxInProgress && !looks.isEmpty() && looks.peek().at() - now <= 0) {
      Look<K> look = looks.remove();
      Entry<K> entry = look.entry();
      if (look.at() != entry.lookAt) {
        continue; // there was an earlier one
      } else if (entry.removed) {
        removed--;
        continue;
      } else if (entry.deadline - now > 0) {
        look(entry);
        continue;
      }
      entry.due = true;
      entry.deadline = now + repeatAfter;
      look(entry);
      entry.inProgress = true;
      inProgress++;
      reported.add(new Look<>(entry.deadline, entry));
      due.add(entry.item);
    }
    return due;
  }
}
