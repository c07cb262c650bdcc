package io.holdfast.entity;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs what takes long on threads of others, one after the other. Each has a turn of its own there:
 * whatever else waits for these threads comes in between.
 */
public final class OneByOne implements Executor {

  private final Executor threads;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  public OneByOne(Executor threads) {
    this.threads = threads;
  }

  @Override
  public synchronized void execute(Runnable task) {
    waiting.add(task);
    if (!busy) {
      busy = true;
      threads.execute(this::turn);
    }
  }

  private void turn() {
    try {
      next().run();
    } finally {
      goOn();
    }
  }

  private synchronized Runnable next() {
    return waiting.remove();
  }

  private synchronized void goOn() {
    busy = !waiting.isEmpty();
    if (busy) {
      threads.execute(this::turn);
    }
  }
}
