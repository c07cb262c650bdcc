package io.holdfast.client.fencing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Guards the data in one process's memory: for a service that takes writes of several holders. It
 * ends with the process: data that outlives the process must be guarded in its own store. It keeps
 * one number for each key that it was ever given.
 */
public final class InMemoryGuard {

  private final int maxKeys;
  private final Map<String, Long> largest = new ConcurrentHashMap<>();

  /**
   * A guard that has seen nothing.
   *
   * @param maxKeys the largest number of keys that it remembers; one more is refused
   */
  public InMemoryGuard(int maxKeys) {
    if (maxKeys < 1) {
      throw new IllegalArgumentException("maxKeys [" + maxKeys + "] is not positive");
    }
    this.maxKeys = maxKeys;
  }

  /**
   * Writes, if the token is not stale. No other write of the key runs at the same time.
   *
   * @throws StaleToken if a larger one was seen; nothing was written then
   * @throws IllegalStateException if it knows too many keys; nothing was written then
   */
  public <T> T write(String key, long fencingToken, Supplier<T> write) {
    List<T> written = new ArrayList<>(1);
    largest.compute(
        key,
        (same, seen) -> {
          if (seen != null && fencingToken < seen) {
            throw new StaleToken(key, fencingToken);
          } else if (seen == null && largest.size() >= maxKeys) {
            throw new IllegalStateException("[" + maxKeys + "] keys are known, the maximum");
          }
          written.add(write.get());
          return fencingToken;
        });
    return written.get(0);
  }
}
