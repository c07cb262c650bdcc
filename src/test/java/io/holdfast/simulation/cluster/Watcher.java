package io.holdfast.simulation.cluster;

import io.holdfast.id.Revision;
import io.holdfast.journal.state.Change;
import io.holdfast.simulation.Violation;
import io.holdfast.watch.LockChange;
import io.holdfast.watch.Position;
import io.holdfast.watch.Selector;
import io.holdfast.watch.WatchAnswer;
import io.holdfast.watch.WatchStream;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * I11 WatchComplete: somebody who watches at one node, and goes on at another where the first left
 * off: every change comes once and in order, or the watch says that it cannot tell.
 */
final class Watcher {

  private static final String INVARIANT = "I11 WatchComplete";

  private final ClusterLocks locks;
  private final SplittableRandom chance;
  private final Selector selector;
  private final String name;
  private @Nullable Position position;
  private @Nullable ClusterTenant at;
  private long stream;

  /** The number of all changes that it has been told, or need not be told. */
  private int told;

  Watcher(ClusterLocks locks, int number, SplittableRandom chance) {
    this.locks = locks;
    this.chance = chance;
    name = "watcher-" + number;
    selector = number == 0 ? Selector.prefix("") : Selector.key(ClusterLocks.KEYS.get(number - 1));
    look();
  }

  /** True if it knows of everything. */
  boolean isUpToDate() {
    return position != null && next() == locks.book().changes().size();
  }

  private int next() {
    List<Change> all = locks.book().changes();
    int next = told;
    while (next < all.size() && !selector.matches(keyOf(all.get(next)))) {
      next++;
    }
    return next;
  }

  private static String keyOf(Change change) {
    return change.id().value().substring("lock|".length());
  }

  /** Sees to it that it watches somewhere. */
  private void look() {
    ClusterTenant now = at;
    boolean leaves = !locks.windsDown() && chance.nextInt(12) == 0;
    if (now == null || !now.isRunning() || leaves) {
      at = null;
      stream++;
      ClusterTenant next = locks.anyTenant(chance);
      if (next != null) {
        at = next;
        long number = stream;
        next.later(500 + chance.nextInt(2_000), name + " watches", () -> open(next, number));
      }
    }
    locks.world().scheduler().after(150_000, name + " looks", this::look);
  }

  private void open(ClusterTenant node, long number) {
    WatchStream[] opened = new WatchStream[1];
    WatchStream made =
        node.hub()
            .open(() -> node.later(node.delayUs(), name + " reads", () -> read(opened[0], number)));
    opened[0] = made;
    Position after = position;
    WatchAnswer first = after == null ? made.create(1, selector) : made.create(1, selector, after);
    tell(first, number);
    read(made, number);
  }

  private void read(WatchStream from, long number) {
    if (number != stream) {
      from.close();
      return;
    }
    for (Optional<WatchAnswer> next = from.next(); next.isPresent(); next = from.next()) {
      tell(next.get(), number);
    }
  }

  /** In order; and nothing of a stream that is left. */
  private void tell(WatchAnswer answer, long number) {
    locks
        .world()
        .scheduler()
        .after(
            1_000,
            answer,
            () -> {
              if (number == stream) {
                take(answer);
              }
            });
  }

  private void take(WatchAnswer answer) {
    if (answer instanceof WatchAnswer.Created created) {
      if (position == null) {
        begin(created.position());
      }
      position = created.position();
    } else if (answer instanceof WatchAnswer.Events events) {
      events.changes().forEach(this::take);
      position = events.position();
      requireAllUpTo(events.revision());
    } else if (answer instanceof WatchAnswer.Ended) {
      locks.count("watch ended");
      position = null;
      at = null;
      stream++;
    }
  }

  private void begin(Position from) {
    List<Change> all = locks.book().changes();
    told = 0;
    while (told < all.size() && all.get(told).revision().compareTo(from.revision()) <= 0) {
      told++;
    }
  }

  private void take(LockChange change) {
    int next = next();
    List<Change> all = locks.book().changes();
    boolean isNext =
        next < all.size()
            && all.get(next).revision().equals(change.revision())
            && keyOf(all.get(next)).equals(change.key());
    if (!isNext) {
      throw new Violation(
          INVARIANT,
          name + " is told " + change + " and not " + (next < all.size() ? all.get(next) : ""));
    }
    told = next + 1;
    locks.count("watched");
  }

  private void requireAllUpTo(Revision revision) {
    int next = next();
    List<Change> all = locks.book().changes();
    if (next < all.size() && all.get(next).revision().compareTo(revision) <= 0) {
      throw new Violation(INVARIANT, name + " is at " + revision + " without " + all.get(next));
    }
  }

  @Override
  public String toString() {
    return name + " of " + selector + " at " + position;
  }
}
