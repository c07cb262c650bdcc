package io.holdfast.raft.link;

import java.util.concurrent.atomic.AtomicLong;

/** Numbers that only rise, written by the thread of the links and readable by all. */
public final class LinkCounters {

  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong received = new AtomicLong();
  private final AtomicLong droppedUnlinked = new AtomicLong();
  private final AtomicLong droppedFull = new AtomicLong();
  private final AtomicLong established = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  LinkCounters() {}

  /** Messages that were queued to be sent. */
  public long sent() {
    return sent.get();
  }

  /** Messages that arrived. */
  public long received() {
    return received.get();
  }

  /** Messages that were dropped because there was no connection with their receiver. */
  public long droppedUnlinked() {
    return droppedUnlinked.get();
  }

  /** Messages that were dropped because too much was waiting for their receiver. */
  public long droppedFull() {
    return droppedFull.get();
  }

  /** Connections that were established, in either direction. */
  public long established() {
    return established.get();
  }

  /** Established connections that were lost. */
  public long lost() {
    return lost.get();
  }

  /** Handshakes that were refused, by either end. */
  public long refused() {
    return refused.get();
  }

  void countSent() {
    rise(sent);
  }

  void countReceived() {
    rise(received);
  }

  void countDroppedUnlinked() {
    rise(droppedUnlinked);
  }

  void countDroppedFull() {
    rise(droppedFull);
  }

  void countEstablished() {
    rise(established);
  }

  void countLost() {
    rise(lost);
  }

  void countRefused() {
    rise(refused);
  }

  private static void rise(AtomicLong counter) {
    // One thread writes, so there is no need for an atomic addition.
    counter.lazySet(counter.get() + 1);
  }
}
