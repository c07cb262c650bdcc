package io.holdfast.client;

import java.util.concurrent.locks.ReentrantLock;

/** Interrupts one thread while it is in a section, and never after it has left. */
final class Interruption {

  private final Thread thread = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private boolean isOver;
  private boolean hasStruck;

  void strike() {
    lock.lock();
    try {
      if (!isOver) {
        hasStruck = true;
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Leaves the section, and clears an interrupt of ours. */
  void end() {
    lock.lock();
    try {
      isOver = true;
      if (hasStruck) {
        Thread.interrupted();
      }
    } finally {
      lock.unlock();
    }
  }
}
