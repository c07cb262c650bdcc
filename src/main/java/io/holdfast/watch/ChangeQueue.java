package io.holdfast.watch;

import io.holdfast.id.Revision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The queue of changes from the log's thread to the hub. It is bounded as the history is: when it
 * is full, all that is in it is dropped, and the history has to begin anew.
 */
final class ChangeQueue {

  /** Changes that came together, and the revision they lead to. */
  record Batch(List<LockChange> changes, Revision revision) {}

  /**
   * All that was told since the last time.
   *
   * @param anew true if the history begins anew, at this revision, before the batches
   */
  record Load(boolean anew, Revision at, List<Batch> batches) {}

  /** With so many changes somebody has to read, though nobody watches. */
  static final int LONG = 512;

  private final int maxEvents;
  private final long maxBytes;
  private List<Batch> batches = new ArrayList<>();
  private int events;
  private long bytes;
  private boolean anew;
  private Revision at = Revision.NONE;
  private boolean read = true;

  ChangeQueue(int maxEvents, long maxBytes) {
    this.maxEvents = maxEvents;
    this.maxBytes = maxBytes;
  }

  synchronized void add(Batch batch) {
    if (batch.changes().isEmpty() && !batches.isEmpty()) {
      // Only progress: it takes the place of the last batch, that progress alone fills nothing.
      Batch last = batches.get(batches.size() - 1);
      batches.set(batches.size() - 1, new Batch(last.changes(), batch.revision()));
      return;
    }
    batches.add(batch);
    events += batch.changes().size();
    for (LockChange change : batch.changes()) {
      bytes += change.weight();
    }
    if (batches.size() > 1 && (events > maxEvents || bytes > maxBytes)) {
      beginAnew(batch.revision());
    }
  }

  /** Drops everything up to a revision. */
  synchronized void beginAnew(Revision revision) {
    batches = new ArrayList<>();
    events = 0;
    bytes = 0;
    anew = true;
    at = revision;
  }

  /**
   * True if somebody has to begin to read, who then reads until there is nothing.
   *
   * @param watched true if anybody waits for these changes
   */
  synchronized boolean begins(boolean watched) {
    boolean isLong = events >= LONG || bytes >= maxBytes / 2; // else it is dropped unread
    boolean begins = read && (watched || anew || isLong);
    read &= !begins;
    return begins;
  }

  /** All that is there; null if that is nothing, and then reading ends. */
  synchronized @Nullable Load take() {
    if (batches.isEmpty() && !anew) {
      read = true;
      return null;
    }
    Load load = new Load(anew, at, batches);
    batches = new ArrayList<>();
    events = 0;
    bytes = 0;
    anew = false;
    return load;
  }
}
