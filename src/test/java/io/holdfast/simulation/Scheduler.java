package io.holdfast.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/** Virtual time in microseconds, and the events that happen in it, one after the other. */
public final class Scheduler {

  private static final int REMEMBERED = 60;

  private record Event(long atUs, long order, Object what, Runnable action)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      return atUs != other.atUs ? Long.compare(atUs, other.atUs) : Long.compare(order, other.order);
    }
  }

  /** An event in words that are put together only when somebody asks. */
  public record Words(Object first, Object second) {

    @Override
    public String toString() {
      return first + " " + second;
    }
  }

  private final PriorityQueue<Event> queue = new PriorityQueue<>();
  private final Deque<Event> past = new ArrayDeque<>();
  private final Consumer<String> trace;
  private final boolean traces;
  private long nowUs;
  private long order;
  private long count;

  /** Remembers the last events only. */
  public Scheduler() {
    this(line -> {}, false);
  }

  /** Tells every event as it happens. */
  public Scheduler(Consumer<String> trace) {
    this(trace, true);
  }

  private Scheduler(Consumer<String> trace, boolean traces) {
    this.trace = trace;
    this.traces = traces;
  }

  public long nowUs() {
    return nowUs;
  }

  /** The number of events that have happened. */
  public long count() {
    return count;
  }

  /**
   * Lets something happen later.
   *
   * @param what the event in words, by its {@code toString} when somebody asks
   */
  public void after(long delayUs, Object what, Runnable action) {
    queue.add(new Event(nowUs + Math.max(0, delayUs), order++, what, action));
  }

  /** Lets the next event happen, unless it is after {@code untilUs}; then time stands there. */
  public boolean step(long untilUs) {
    Event next = queue.peek();
    if (next == null || next.atUs > untilUs) {
      nowUs = Math.max(nowUs, untilUs);
      return false;
    }
    queue.remove();
    nowUs = next.atUs;
    count++;
    remember(next);
    next.action.run();
    return true;
  }

  /** Notes something that happened within the current event. */
  public void note(Object what) {
    remember(new Event(nowUs, order, what, () -> {}));
  }

  /** The last events, oldest first, a line each. */
  public String past() {
    StringBuilder lines = new StringBuilder();
    past.forEach(event -> lines.append(line(event)).append('\n'));
    return lines.toString();
  }

  private void remember(Event event) {
    if (traces) {
      trace.accept(line(event));
    }
    past.addLast(event);
    if (past.size() > REMEMBERED) {
      past.removeFirst();
    }
  }

  private static String line(Event event) {
    return String.format("%10.3f  %s", event.atUs / 1000.0, event.what);
  }
}
