package io.holdfast.entity;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;

/**
 * When what is due, by a clock that is given. What is due stays so, and is told again after a
 * while, until it is taken out: whoever was told may not have heard.
 *
 * <p>Used by one thread at a time.
 */
final class Deadlines<K> {

  /*
   * To move a deadline is the common case, and changes one number: the queue keeps the time at
   * which it will look next, which is never later than the deadline. What it finds not due then, it
   * puts back for later. So a deadline costs the queue work once in its ttl, however often it moves.
   *
   * What is taken out stays in the queue until its time, or until there is more of it than of the
   * rest: then the queue is made anew. So does the look at a deadline that has come nearer since,
   * for which there is an earlier one.
   *
   * What was told as due and is not taken out is under way, until it would be told again: whoever
   * was told has work to do, and how much of it there is at once has a bound. What does not end
   * stands in nobody's way for longer than that: those that are due for longer come first.
   */

  /** So few that were taken out are not worth the work. */
  private static final int MIN_GONE = 1_024;

  private static final class Entry<K> {
    final K what;
    long deadline;
    long lookAt;
    boolean due;
    boolean gone;
    boolean underWay;

    Entry(K what, long deadline) {
      this.what = what;
      this.deadline = deadline;
    }
  }

  private record Look<K>(long at, Entry<K> entry) {}

  private final long repeatAfter;
  private final Map<K, Entry<K>> entries = new HashMap<>();
  private PriorityQueue<Look<K>> looks = emptyQueue();
  private final Deque<Look<K>> told = new ArrayDeque<>();
  private int gone;
  private int underWay;

  /**
   * @param repeatAfter how long after it was told as due something is told again
   */
  Deadlines(long repeatAfter) {
    this.repeatAfter = repeatAfter;
  }

  /** Moves a deadline nearer, if there is one that is later and was not due yet. */
  void atMost(K what, long deadline) {
    Entry<K> entry = entries.get(what);
    if (entry != null && !entry.due && deadline - entry.deadline < 0) {
      entry.deadline = deadline;
      look(entry);
    }
  }

  /** Sets a deadline, or moves it to later. It comes no nearer by that, nor once it was due. */
  void atLeast(K what, long deadline) {
    Entry<K> entry = entries.get(what);
    if (entry == null) {
      entry = new Entry<>(what, deadline);
      entries.put(what, entry);
      look(entry);
    } else if (!entry.due && deadline - entry.deadline > 0) {
      entry.deadline = deadline;
    }
  }

  boolean has(K what) {
    return entries.containsKey(what);
  }

  /** Whether it was told as due, and is not taken out yet. */
  boolean isDue(K what) {
    Entry<K> entry = entries.get(what);
    return entry != null && entry.due;
  }

  void remove(K what) {
    Entry<K> entry = entries.remove(what);
    if (entry != null) {
      entry.gone = true;
      gone++;
      isNotUnderWay(entry);
      if (gone > MIN_GONE && gone > entries.size()) {
        looks = emptyQueue();
        entries.values().forEach(this::look);
        gone = 0;
      }
    }
  }

  /** What is left of a time; empty if there is no such deadline. */
  OptionalLong left(K what, long now) {
    Entry<K> entry = entries.get(what);
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

  /** How much is in the queue: what is kept, and some that was taken out. */
  int queued() {
    return looks.size();
  }

  int size() {
    return entries.size();
  }

  private void isNotUnderWay(Entry<K> entry) {
    if (entry.underWay) {
      entry.underWay = false;
      underWay--;
    }
  }

  /** What is due now, as long as no more than so much is under way. */
  List<K> due(long now, int mostUnderWay) {
    while (!told.isEmpty() && told.peek().at() - now <= 0) {
      isNotUnderWay(told.remove().entry());
    }
    List<K> due = new ArrayList<>();
    while (underWay < mostUnderWay && !looks.isEmpty() && looks.peek().at() - now <= 0) {
      Look<K> look = looks.remove();
      Entry<K> entry = look.entry();
      if (look.at() != entry.lookAt) {
        continue; // there was an earlier one
      } else if (entry.gone) {
        gone--;
        continue;
      } else if (entry.deadline - now > 0) {
        look(entry);
        continue;
      }
      entry.due = true;
      entry.deadline = now + repeatAfter;
      look(entry);
      entry.underWay = true;
      underWay++;
      told.add(new Look<>(entry.deadline, entry));
      due.add(entry.what);
    }
    return due;
  }
}
