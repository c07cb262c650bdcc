package io.holdfast.server;

import io.holdfast.journal.state.Footprint;
import io.holdfast.journal.state.Fullness;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators when what the cluster keeps comes near to its bound: once at each change, and
 * again every minute for as long as it is full. Used by one thread, but {@link #problem} may be
 * asked by any.
 */
final class StateAlarm implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(StateAlarm.class);

  private static final int REPEAT_AFTER = 60;

  private final Supplier<Fullness> now;
  private Fullness.Level told = Fullness.Level.ROOM;
  private int looksSince;

  /**
   * @param now the fullness of the state at this node
   */
  StateAlarm(Supplier<Fullness> now) {
    this.now = now;
  }

  /** Looks; to be run once a second. */
  @Override
  public void run() {
    Fullness fullness = now.get();
    looksSince++;
    boolean repeats = fullness.isFull() && looksSince >= REPEAT_AFTER;
    if (fullness.level() == told && !repeats) {
      return;
    }
    told = fullness.level();
    looksSince = 0;
    problem().ifPresentOrElse(log::warn, () -> log.info("the state has room again"));
  }

  /** A warning for operators, if there is one. */
  Optional<String> problem() {
    Fullness fullness = now.get();
    return switch (fullness.level()) {
      case ROOM -> Optional.empty();
      case NEARLY_FULL -> Optional.of(words("the state is nearly full", fullness));
      case FULL -> Optional.of(words("the state is full, nothing more is granted", fullness));
    };
  }

  private static String words(String what, Fullness fullness) {
    Footprint all = fullness.footprint();
    return "%s: [%d] of at most [%d] KiB, with [%d] grants and leases and [%d] waiters"
        .formatted(what, all.size() >> 10, fullness.max() >> 10, all.parts(), all.waiters());
  }
}
