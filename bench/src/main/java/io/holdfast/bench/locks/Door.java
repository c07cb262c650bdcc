package io.holdfast.bench.locks;

import io.holdfast.v1.LockResponse;
import io.holdfast.v1.UnlockResponse;

/**
 * A connection to the nodes for many workers. Requests are sent at the latest with the next {@link
 * #flush}. Safe for use by many threads.
 */
interface Door extends AutoCloseable {

  /** Receives the answers to one request at a time, on a thread of the door. */
  interface Asker {

    /** An answer to a lock request; one that says {@code queued} is not the last. */
    void onLock(LockResponse answer);

    void onUnlock(UnlockResponse answer);

    /** The request failed, or its outcome is unknown. */
    void onRefused(String why);
  }

  /**
   * Requests a lock.
   *
   * @param seat the number of the worker: each is a holder of its own
   */
  void lock(String key, int seat, long timeoutMs, Asker asker);

  void unlock(String key, int seat, long token, Asker asker);

  /** Sends all requests that were not sent yet. */
  void flush();

  @Override
  void close();
}
