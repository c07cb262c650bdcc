package io.holdfast.watch;

import io.holdfast.config.WatchSettings;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeFeed;
import io.holdfast.journal.state.Change;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All watches of a node, over the changes that it applies.
 *
 * <p>Threads: the log's own only leaves changes in the inbox. The executor brings them to the
 * history and to the watches; while nobody watches, many at a time. Streams read on threads of
 * their own. What they share is guarded by one lock, which each holds for a bounded number of
 * changes.
 */
public final class WatchHub implements ChangeFeed.Follower {

  private static final Logger log = LoggerFactory.getLogger(WatchHub.class);

  /** The number of changes that are offered to the watches under one hold of the lock. */
  private static final int MAX_SLICE = 256;

  private final WatchSettings settings;
  private final Executor executor;
  private final ChangeQueue inbox;
  private final ChangeHistory history;
  private final BacklogRoom backlogs;
  private final Subscriptions<WatchStream.StreamWatch> subscriptions = new Subscriptions<>();
  private final Set<WatchStream> streams = new LinkedHashSet<>();
  private final ReentrantLock reading = new ReentrantLock(/* fair= */ true);
  private int watches;
  private volatile boolean watched;
  private volatile boolean left;

  /** A hub without a change. The executor must outlive the log, or the hub be left before. */
  public WatchHub(WatchSettings settings, Executor executor) {
    this.settings = settings;
    this.executor = executor;
    inbox = new ChangeQueue(settings.historyMaxEvents(), settings.historyMaxBytes());
    history = new ChangeHistory(settings.historyMaxEvents(), settings.historyMaxBytes());
    backlogs = BacklogRoom.beside(settings.historyMaxBytes());
  }

  @Override
  public void changed(List<Change> changes, Revision revision) {
    if (left) {
      return;
    }
    List<LockChange> ofLocks = new ArrayList<>(changes.size());
    for (Change change : changes) {
      LockChange.of(change).ifPresent(ofLocks::add);
    }
    inbox.add(new ChangeQueue.Batch(ofLocks, revision));
    begin();
  }

  @Override
  public void restored(Revision revision) {
    if (!left) {
      inbox.beginAnew(revision);
      begin();
    }
  }

  /* A new stream sets `watched` first and then reads, so no change is missed between the two. */
  private void begin() {
    if (inbox.begins(watched)) {
      executor.execute(this::readAll);
    }
  }

  /** Returns the revision up to which all changes were offered to the watches. */
  public Revision revision() {
    if (!watched) {
      read();
    }
    synchronized (this) {
      return new Revision(history.revision());
    }
  }

  /** The number of watches. */
  public synchronized int size() {
    return watches;
  }

  /**
   * Opens a stream.
   *
   * @param wake is called, on any thread and once, when the stream may have an answer after it had
   *     none
   */
  public WatchStream open(Runnable wake) {
    WatchStream stream = new WatchStream(this, wake);
    synchronized (this) {
      streams.add(stream);
      watched = true;
    }
    read(); // changes before the first watch are of no watch
    return stream;
  }

  /** The node stops: all watches end, and none can be made any more. */
  public void leave() {
    List<WatchStream> toWake = new ArrayList<>();
    synchronized (this) {
      left = true;
      streams.forEach(stream -> stream.endAll(WatchEnding.LEAVING, toWake::add));
    }
    toWake.forEach(WatchStream::wake);
  }

  private void readAll() {
    while (read()) {}
  }

  /** Reads one load of the inbox; false if it is empty. One at a time: others may have to wait. */
  private boolean read() {
    reading.lock();
    try {
      ChangeQueue.Load load = inbox.take();
      if (load == null || left) {
        return false;
      }
      take(load);
      return true;
    } finally {
      reading.unlock();
    }
  }

  private void take(ChangeQueue.Load load) {
    if (load.anew()) {
      beginAnew(load.at());
    }
    for (ChangeQueue.Batch batch : load.batches()) {
      try {
        take(batch);
      } catch (RuntimeException e) {
        // All watches must know that changes are missing.
        log.error("Changes up to revision [{}] could not be told to watches.", batch.revision(), e);
        beginAnew(batch.revision());
      }
    }
  }

  private void take(ChangeQueue.Batch batch) {
    int told = 0;
    do {
      int to = Math.min(batch.changes().size(), told + MAX_SLICE);
      Set<WatchStream> toWake = new LinkedHashSet<>();
      synchronized (this) {
        for (LockChange change : batch.changes().subList(told, to)) {
          long place = history.end();
          history.append(change);
          subscriptions.match(change.key(), found -> found.offer(change, place, toWake::add));
        }
        if (to == batch.changes().size()) {
          history.reach(batch.revision().value());
        }
      }
      told = to;
      toWake.forEach(WatchStream::wake);
    } while (told < batch.changes().size());
  }

  private void beginAnew(Revision revision) {
    List<WatchStream> toWake = new ArrayList<>();
    synchronized (this) {
      streams.forEach(stream -> stream.beginAnew(revision, toWake::add));
      history.begin(revision.value());
    }
    toWake.forEach(WatchStream::wake);
  }

  // What follows is the streams', under the lock.

  ChangeHistory history() {
    return history;
  }

  BacklogRoom backlogs() {
    return backlogs;
  }

  boolean hasLeft() {
    return left;
  }

  /** The refusal of another watch on a stream with so many, if it is refused. */
  Optional<WatchEnding> refusal(int onStream) {
    if (left) {
      return Optional.of(WatchEnding.LEAVING);
    } else if (onStream >= settings.maxPerStream()) {
      return Optional.of(WatchEnding.TOO_MANY_ON_STREAM);
    } else if (watches >= settings.maxPerNode()) {
      return Optional.of(WatchEnding.TOO_MANY_ON_NODE);
    }
    return Optional.empty();
  }

  void add(WatchStream.StreamWatch watch) {
    watches++;
    subscriptions.add(watch.selector(), watch);
  }

  void remove(WatchStream.StreamWatch watch) {
    watches--;
    watch.drop();
    subscriptions.remove(watch.selector(), watch);
  }

  void remove(WatchStream stream) {
    streams.remove(stream);
    watched = !streams.isEmpty();
  }
}
