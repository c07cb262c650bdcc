package io.holdfast.watch;

import io.holdfast.id.Revision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The watches of one client's stream. It is read at the client's pace: the reader asks for the next
 * answer, and the watches that have one take turns. No answer is made before it is asked for.
 *
 * <p>Every method may be called from any thread, and returns at once.
 */
public final class WatchStream implements AutoCloseable {

  /** A watch of the stream. It is in the queue while it has something to send. */
  final class StreamWatch {
    private final Watch watch;
    private boolean isQueued;

    private StreamWatch(Watch watch) {
      this.watch = watch;
    }

    void offer(LockChange change, long place, Consumer<WatchStream> toWake) {
      if (watch.offer(change, place)) {
        enqueue(this, toWake);
      }
    }

    void drop() {
      watch.drop();
    }

    Selector selector() {
      return watch.selector();
    }
  }

  private final WatchHub hub;
  private final Runnable wake;
  private final Map<Long, StreamWatch> watches = new HashMap<>();
  private final Queue<StreamWatch> queue = new ArrayDeque<>();
  private boolean readerWaits;
  private boolean closed;

  WatchStream(WatchHub hub, Runnable wake) {
    this.hub = hub;
    this.wake = wake;
  }

  /** Creates a watch that begins with the next change: {@code Created} or {@code Ended}. */
  public WatchAnswer create(long id, Selector selector) {
    synchronized (hub) {
      return create(id, selector, new Position(new Revision(hub.history().revision()), 0));
    }
  }

  /** Creates a watch of what comes after a position: {@code Created} or {@code Ended}. */
  public WatchAnswer create(long id, Selector selector, Position after) {
    synchronized (hub) {
      Optional<WatchEnding> refusal =
          watches.containsKey(id) ? Optional.of(WatchEnding.EXISTS) : hub.refusal(watches.size());
      if (refusal.isEmpty() && after.revision().value() + 1 < hub.history().first()) {
        refusal = Optional.of(WatchEnding.COMPACTED);
      }
      if (refusal.isPresent() || closed) {
        return refused(id, refusal.orElse(WatchEnding.LEAVING));
      }
      StreamWatch made =
          new StreamWatch(new Watch(id, selector, after, hub.history(), hub.backlogs()));
      watches.put(id, made);
      hub.add(made);
      WatchAnswer created = made.watch.created(hub.history());
      enqueueIfReady(made);
      return created;
    }
  }

  /** Ends a watch; this is its last answer. */
  public WatchAnswer.Ended cancel(long id) {
    synchronized (hub) {
      StreamWatch found = watches.get(id);
      if (found == null) {
        return refused(id, WatchEnding.NOT_FOUND);
      }
      found.watch.end(WatchEnding.CANCELLED, hub.history());
      remove(found);
      return found.watch.ended(hub.history());
    }
  }

  /**
   * Asks for a mark, once all changes known now were sent. Returns an answer only if there is no
   * such watch.
   */
  public Optional<WatchAnswer.Ended> mark(long id) {
    synchronized (hub) {
      StreamWatch found = watches.get(id);
      if (found == null) {
        return Optional.of(refused(id, WatchEnding.NOT_FOUND));
      }
      found.watch.askForMark(hub.history());
      enqueueIfReady(found);
      return Optional.empty();
    }
  }

  /** The next answer; empty if there is none; the reader is woken when there is one. */
  public Optional<WatchAnswer> next() {
    while (true) {
      synchronized (hub) { // not for the whole loop: a watch may have much to search
        StreamWatch next = queue.poll();
        if (next == null) {
          readerWaits = true;
          return Optional.empty();
        }
        next.isQueued = false;
        WatchAnswer answer = next.watch.nextAnswer(hub.history());
        if (answer instanceof WatchAnswer.Ended) {
          remove(next);
        } else {
          enqueueIfReady(next);
        }
        if (answer != null) {
          return Optional.of(answer);
        }
      }
    }
  }

  /** The number of its watches. */
  public int size() {
    synchronized (hub) {
      return watches.size();
    }
  }

  /** True if the node stops and all answers were read. */
  public boolean isOver() {
    synchronized (hub) {
      return hub.hasLeft() && watches.isEmpty();
    }
  }

  /** Ends it with all its watches, without an answer. */
  @Override
  public void close() {
    synchronized (hub) {
      closed = true;
      watches.values().forEach(hub::remove);
      watches.clear();
      queue.clear();
      hub.remove(this);
    }
  }

  /** To be called without the lock. */
  void wake() {
    wake.run();
  }

  void endAll(WatchEnding why, Consumer<WatchStream> toWake) {
    for (StreamWatch each : watches.values()) {
      each.watch.end(why, hub.history());
      enqueue(each, toWake);
    }
    wakeReader(toWake); // also of a stream without watches: it is over
  }

  void beginAnew(Revision revision, Consumer<WatchStream> toWake) {
    List<StreamWatch> all = new ArrayList<>(watches.values());
    for (StreamWatch each : all) {
      each.watch.beginAnew(hub.history(), revision);
      if (each.watch.hasEnded()) {
        enqueue(each, toWake);
      }
    }
  }

  private void enqueue(StreamWatch added, Consumer<WatchStream> toWake) {
    if (!added.isQueued) {
      added.isQueued = true;
      queue.add(added);
    }
    wakeReader(toWake);
  }

  private void wakeReader(Consumer<WatchStream> toWake) {
    if (readerWaits) {
      readerWaits = false;
      toWake.accept(this);
    }
  }

  /** Called by the stream's reader, which reads on: it need not be woken. */
  private void enqueueIfReady(StreamWatch added) {
    if (!added.isQueued && added.watch.isReady(hub.history())) {
      added.isQueued = true;
      queue.add(added);
    }
  }

  private void remove(StreamWatch gone) {
    watches.remove(gone.watch.id());
    hub.remove(gone);
    if (gone.isQueued) {
      queue.remove(gone);
    }
  }

  private WatchAnswer.Ended refused(long id, WatchEnding why) {
    ChangeHistory history = hub.history();
    long available = why == WatchEnding.COMPACTED ? history.first() : 0;
    return new WatchAnswer.Ended(id, new Revision(history.revision()), why, null, available);
  }
}
