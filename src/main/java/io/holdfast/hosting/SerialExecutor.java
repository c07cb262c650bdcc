package io.holdfast.hosting;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs long tasks one after the other on the threads of another executor. Each task is submitted on
 * its own, so that other work of these threads comes in between.
 */
public final class SerialExecutor implements Executor {

  private final Executor threads;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  public SerialExecutor(Executor threads) {
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
