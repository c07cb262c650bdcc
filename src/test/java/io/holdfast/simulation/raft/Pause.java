package io.holdfast.simulation.raft;

import java.util.ArrayDeque;
import java.util.Deque;

/** A process that stands still, and what waits for it to go on. */
final class Pause {

  private static final int MESSAGES_MAX = 100;

  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean on;

  boolean isOn() {
    return on;
  }

  void begin() {
    on = true;
  }

  /** The process goes on with what waits; it may end or stand still again over it. */
  void end() {
    on = false;
    while (!on && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  /** Something arrives for the process; lost if too much does. */
  void arrive(Runnable message) {
    if (waiting.size() < MESSAGES_MAX) {
      waiting.add(message);
    }
  }

  /** Something that the process had begun has come to its end. */
  void complete(Runnable action) {
    waiting.add(action);
  }

  /** The process ended. */
  void forget() {
    on = false;
    waiting.clear();
  }
}
