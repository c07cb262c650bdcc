package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import io.holdfast.v1.UnlockResponse;

/**
 * A way to the nodes for many askers. What was asked for goes out at the latest with the next
 * {@link #flush}. Safe for use by many threads.
 */
interface Door extends AutoCloseable {

  /** Receives the answers to one request at a time, on a thread of the door. */
  interface Asker {

    /** An answer to a lock request; one that says {@code queued} is not the last. */
    void onLock(LockResponse answer);

    void onUnlock(UnlockResponse answer);

    /** It was not done, or nobody knows. */
    void onRefused(String why);
  }

  /**
   * Asks for a lock.
   *
   * @param seat which of the askers it is: each is a holder of its own
   */
  void lock(String key, int seat, long timeoutMs, Asker asker);

  void unlock(String key, int seat, long token, Asker asker);

  /** Sends what was asked for and has not gone out. */
  void flush();

  @Override
  void close();
}
