package io.holdfast.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Smaller defaults of settings for which a small heap has no room. An operator's setting takes
 * precedence.
 */
final class HeapDefaults {

  /** An actor of a plain lock takes so many bytes, with what else is kept of it while it runs. */
  private static final int ACTOR_BYTES = 4_096;

  private static final int SHARE_OF_ACTORS = 4;
  private static final int SHARE_OF_HISTORY = 16;
  private static final long MIN_ACTORS = 1_000;
  private static final long MIN_HISTORY = 1L << 20;

  private HeapDefaults() {}

  /**
   * Settings that stand in place of larger defaults.
   *
   * @param usual the defaults for large heaps
   */
  static Config of(long heapBytes, Config usual) {
    Map<String, Object> smaller = new HashMap<>();
    long left = heapBytes - StateSettings.OWN_BYTES;
    String actors = "holdfast.locks.max-in-memory";
    long room = Math.max(MIN_ACTORS, left / SHARE_OF_ACTORS / ACTOR_BYTES);
    if (room < usual.getLong(actors)) {
      smaller.put(actors, room);
    }
    String history = "holdfast.watch.history.max-bytes";
    long bytes = Math.max(MIN_HISTORY, heapBytes / SHARE_OF_HISTORY);
    if (bytes < usual.getBytes(history)) {
      smaller.put(history, bytes);
    }
    return ConfigFactory.parseMap(smaller, "a share of the heap");
  }
}
