package io.holdfast.watch;

import io.holdfast.id.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One watch: a place in the history that moves forward as its client reads. It keeps no changes of
 * its own. While it keeps up, it has the places of its events; once they are too many, it searches
 * the history instead, until it has caught up.
 */
final class Watch {

  static final int MAX_EVENTS = 1_000;

  /**
   * The weight that one answer may have, unless one event alone is heavier: well below a message's
   * bound.
   */
  static final int MAX_WEIGHT = 256 * 1024;

  /** The number of changes that are looked at in one go. */
  static final int MAX_LOOKS = 1_024;

  private final long id;
  private final Selector selector;
  private final long from;
  private int toSkip; // so many changes of the revision `from` were sent to an earlier watch
  private final Backlog backlog;
  private boolean searching = true;
  private long next;
  private long lastRevision;
  private int toldOfLast;
  private boolean streaming;
  private long marksOwed;
  private long markAt;
  private Position position;
  private @Nullable WatchEnding ending;

  /** A watch of what comes after a position. */
  Watch(long id, Selector selector, Position after, ChangeHistory history, BacklogRoom room) {
    backlog = new Backlog(room);
    this.id = id;
    this.selector = selector;
    from = after.revision().value() + 1;
    toSkip = after.ofNext();
    lastRevision = from;
    toldOfLast = toSkip;
    position = after;
    next = history.seek(from);
    caughtUp(history);
  }

  long id() {
    return id;
  }

  Selector selector() {
    return selector;
  }

  /** Adds a change that its selector matches; true if it was not ready before, and is now. */
  boolean offer(LockChange change, long place) {
    if (searching || ending != null || change.revision().value() < from) {
      return false;
    } else if (toSkip > 0 && change.revision().value() == from) {
      toSkip--;
      return false;
    }
    boolean first = backlog.isEmpty();
    if (!backlog.add(place)) {
      next = backlog.peek();
      backlog.clear();
      searching = true;
    }
    return first;
  }

  void askForMark(ChangeHistory history) {
    marksOwed++;
    markAt = history.revision();
  }

  /** Ends it, unless it has ended. Its position stays at what was sent. */
  void end(WatchEnding why, ChangeHistory history) {
    if (ending == null) {
      if (!isLost(history)) {
        position(history);
      }
      ending = why;
      searching = false;
      backlog.clear();
    }
  }

  /** Frees its backlog: nobody reads it any more. */
  void drop() {
    backlog.clear();
  }

  boolean hasEnded() {
    return ending != null;
  }

  /** Ends it if it needs what is gone when the history begins anew at this revision. */
  void beginAnew(ChangeHistory before, Revision revision) {
    boolean waits = !searching && backlog.isEmpty();
    if (!waits || Math.max(from, before.revision() + 1) <= revision.value()) {
      end(WatchEnding.COMPACTED, before);
    }
  }

  /** True if it has an answer, or has to search for one. */
  boolean isReady(ChangeHistory history) {
    return searching || !backlog.isEmpty() || ending != null || owesMark(history);
  }

  WatchAnswer created(ChangeHistory history) {
    return new WatchAnswer.Created(id, told(history), position(history));
  }

  /** The answer that it has ended; it must have. */
  WatchAnswer.Ended ended(ChangeHistory history) {
    WatchEnding why = Objects.requireNonNull(ending);
    // A watch of the future has a position ahead of all that is known.
    Revision revision = new Revision(Math.min(position.revision().value(), history.revision()));
    long available = why == WatchEnding.COMPACTED ? history.first() : 0;
    return new WatchAnswer.Ended(id, revision, why, position, available);
  }

  /** The next answer; null if there is none yet. */
  @Nullable WatchAnswer nextAnswer(ChangeHistory history) {
    if (ending == null && isLost(history)) {
      end(streaming ? WatchEnding.SLOW_CONSUMER : WatchEnding.COMPACTED, history);
    }
    if (ending != null) {
      return ended(history);
    } else if (owesMark(history)) {
      marksOwed--;
      return new WatchAnswer.Mark(id, told(history), position(history));
    }
    List<LockChange> changes = searching ? search(history) : backlog(history);
    return changes.isEmpty()
        ? null
        : new WatchAnswer.Events(id, told(history), position(history), changes);
  }

  private List<LockChange> search(ChangeHistory history) {
    Batch batch = new Batch();
    long stop = Math.min(history.end(), next + MAX_LOOKS);
    while (next < stop) {
      long at = history.revisionAt(next);
      if (at >= from && selector.matches(history.keyAt(next))) {
        if (toSkip > 0 && at == from) {
          toSkip--;
        } else if (!batch.take(history.at(next))) {
          break;
        }
      }
      next++;
    }
    caughtUp(history);
    return batch.changes;
  }

  private List<LockChange> backlog(ChangeHistory history) {
    Batch batch = new Batch();
    while (!backlog.isEmpty() && batch.take(history.at(backlog.peek()))) {
      backlog.poll();
    }
    return batch.changes;
  }

  private void caughtUp(ChangeHistory history) {
    if (next == history.end()) {
      searching = false;
      streaming = true;
    }
  }

  private boolean isLost(ChangeHistory history) {
    return searching
        ? next < history.start()
        : !backlog.isEmpty() && backlog.peek() < history.start();
  }

  private boolean owesMark(ChangeHistory history) {
    return marksOwed > 0 && !isLost(history) && revision(history) >= markAt;
  }

  private Revision told(ChangeHistory history) {
    return new Revision(revision(history));
  }

  /** All changes up to this revision were sent or did not match. */
  private long revision(ChangeHistory history) {
    if (searching) {
      return history.revisionAt(next) - 1;
    }
    return backlog.isEmpty() ? history.revision() : history.revisionAt(backlog.peek()) - 1;
  }

  /** The position from which a later watch continues: not before this one's own start. */
  private Position position(ChangeHistory history) {
    long revision = Math.max(revision(history), from - 1);
    position = new Position(new Revision(revision), lastRevision == revision + 1 ? toldOfLast : 0);
    return position;
  }

  private final class Batch {
    private final List<LockChange> changes = new ArrayList<>();
    private int weight;

    /** Takes a change; false if it has to wait for the next answer. */
    private boolean take(LockChange change) {
      boolean full = changes.size() == MAX_EVENTS || weight + change.weight() > MAX_WEIGHT;
      if (full && !changes.isEmpty()) {
        return false;
      }
      changes.add(change);
      weight += change.weight();
      long revision = change.revision().value();
      toldOfLast = revision == lastRevision ? toldOfLast + 1 : 1;
      lastRevision = revision;
      streaming = true;
      return true;
    }
  }
}
