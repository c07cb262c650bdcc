package io.holdfast.client.spring;

import io.holdfast.client.HoldfastClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.integration.support.locks.LockRegistry;

/**
 * Spring Integration's locks as locks of a Holdfast cluster: reentrant for one thread, exclusive
 * for all threads and processes. What the {@link Lock} interface cannot keep between processes is
 * said at {@link io.holdfast.client.LockView}. A loss is thrown by {@code unlock}, and refuses the
 * next entry of the thread that had the lock.
 */
public final class HoldfastLockRegistry implements LockRegistry {

  private static final int MAX_IDLE = 10_000;

  private final HoldfastClient client;
  private final String prefix;
  private final ReentrantLock guard = new ReentrantLock();

  /** The least recently obtained first. Those that nobody has or waits for may be forgotten. */
  private final Map<String, RegisteredLock> locks =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  /**
   * A registry.
   *
   * @param client stays the caller's to close
   * @param prefix stands before each key: "integration/" for example
   */
  public HoldfastLockRegistry(HoldfastClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  /** The lock of a key, by the key's text; the same object for the same key, while it is in use. */
  @Override
  public Lock obtain(Object lockKey) {
    String key = prefix + Objects.requireNonNull(lockKey, "lockKey");
    guard.lock();
    try {
      RegisteredLock lock =
          locks.computeIfAbsent(key, name -> new RegisteredLock(client.lock(name)));
      if (locks.size() > MAX_IDLE) {
        locks.values().removeIf(other -> other != lock && other.isIdle());
      }
      return lock;
    } finally {
      guard.unlock();
    }
  }
}
