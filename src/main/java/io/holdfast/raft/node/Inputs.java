package io.holdfast.raft.node;

import io.holdfast.raft.link.PeerLinks;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jctools.queues.MpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The queue of requests from other threads to the member's thread, in the order they came.
 *
 * <p>The thread is woken only when it sleeps: while it works, a request costs its caller one
 * compare-and-set.
 */
final class Inputs {

  /** One request, carried out on the member's thread. */
  interface Input {
    void carryOut();

    /** The member has stopped and will not carry it out. */
    void refuse();
  }

  private final MpscArrayQueue<Input> queue;
  private final AtomicBoolean sleeping = new AtomicBoolean();
  private final PeerLinks links;
  private volatile boolean closed;

  Inputs(int capacity, PeerLinks links) {
    this(new MpscArrayQueue<>(Math.max(2, capacity)), links);
  }

  Inputs(MpscArrayQueue<Input> queue, PeerLinks links) {
    this.queue = queue;
    this.links = links;
  }

  /** Takes a request; false if too many wait already. */
  boolean offer(Input input) {
    if (closed) {
      input.refuse();
      return true;
    }
    if (!queue.offer(input)) {
      return false;
    }
    if (closed) {
      refuseAll(); // it may have come in behind the last that was taken out
    } else if (sleeping.get() && sleeping.compareAndSet(true, false)) {
      links.wakeup();
    }
    return true;
  }

  /** True if the member's thread may sleep; from then on an offer wakes it. */
  boolean fallAsleep() {
    sleeping.set(true);
    if (queue.isEmpty()) {
      return true;
    }
    sleeping.set(false);
    return false;
  }

  void awake() {
    sleeping.lazySet(false);
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  @Nullable Input next() {
    return queue.poll();
  }

  /** Refuses all that wait, and all that come. */
  void close() {
    closed = true;
    refuseAll();
  }

  /* Only what is still in the queue: what was taken out has been carried out, and must not be called
  certainly not done. From the end on, this lock is what makes for one reader at a time. */
  private synchronized void refuseAll() {
    for (Input input = queue.poll(); input != null; input = queue.poll()) {
      input.refuse();
    }
  }
}
