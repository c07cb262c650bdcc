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

  /** The number of changes that are told to the watches while nobody else can read. */
  private static final int MAX_SLICE = 256;

  private final WatchSettings settings;
  private final Executor executor;
  private final ChangeQueue inbox;
  private final ChangeHistory history;
  private final BacklogRoom backlogs;
  private final Subscriptions<WatchStream.Voice> subscriptions = new Subscriptions<>();
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

  /* Whoever comes to watch says so, and then reads: so either finds what the other has left. */
  private void begin() {
    if (inbox.begins(watched)) {
      executor.execute(this::readAll);
    }
  }

  /** All changes up to this revision have come to the watches. */
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
   * @param wake is called, on any thread and once, when the stream may have something to say after
   *     it had nothing
   */
  public WatchStream open(Runnable wake) {
    WatchStream stream = new WatchStream(this, wake);
    synchronized (this) {
      streams.add(stream);
      watched = true;
    }
    read(); // what came while nobody watched is not news
    return stream;
  }

  /** The node stops: all watches end, and none can be made any more. */
  public void leave() {
    List<WatchStream> awake = new ArrayList<>();
    synchronized (this) {
      left = true;
      streams.forEach(stream -> stream.endAll(WatchEnding.LEAVING, awake::add));
    }
    awake.forEach(WatchStream::wake);
  }

  private void readAll() {
    while (read()) {}
  }

  /** Reads what is there by now; false if that is nothing. In turns: others may have to wait. */
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
        // No watch may miss it in silence: all of them learn that something is missing.
        log.error("Changes up to revision [{}] could not be told to watches.", batch.revision(), e);
        beginAnew(batch.revision());
      }
    }
  }

  private void take(ChangeQueue.Batch batch) {
    int told = 0;
    do {
      int to = Math.min(batch.changes().size(), told + MAX_SLICE);
      Set<WatchStream> awake = new LinkedHashSet<>();
      synchronized (this) {
        for (LockChange change : batch.changes().subList(told, to)) {
          long place = history.end();
          history.append(change);
          subscriptions.match(change.key(), found -> found.offer(change, place, awake::add));
        }
        if (to == batch.changes().size()) {
          history.reach(batch.revision().value());
        }
      }
      told = to;
      awake.forEach(WatchStream::wake);
    } while (told < batch.changes().size());
  }

  private void beginAnew(Revision revision) {
    List<WatchStream> awake = new ArrayList<>();
    synchronized (this) {
      streams.forEach(stream -> stream.beginAnew(revision, awake::add));
      history.begin(revision.value());
    }
    awake.forEach(WatchStream::wake);
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

  /** Why a stream with so many watches may not have another one. */
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

  void add(WatchStream.Voice voice) {
    watches++;
    subscriptions.add(voice.selector(), voice);
  }

  void remove(WatchStream.Voice voice) {
    watches--;
    voice.letGo();
    subscriptions.remove(voice.selector(), voice);
  }

  void remove(WatchStream stream) {
    streams.remove(stream);
    watched = !streams.isEmpty();
  }
}
