package io.holdfast.sharding;

import akka.actor.typed.ActorSystem;
import java.time.Duration;

/** Schedules tasks for later. */
public interface TaskScheduler {

  /** A task that runs once, later. */
  interface Task {

    /** Cancels the task, if it has not run yet. */
    void cancel();
  }

  /** Runs an action as soon as a thread is free. */
  void soon(Runnable action);

  /** Runs an action once, after this delay. */
  Task after(Duration delay, Runnable action);

  /** Runs an action repeatedly, with this pause between two runs, until it fails. */
  void every(Duration pause, Runnable action);

  /** Returns a scheduler on the threads of an actor system. */
  static TaskScheduler of(ActorSystem<?> system) {
    return new TaskScheduler() {
      @Override
      public void soon(Runnable action) {
        system.executionContext().execute(action);
      }

      @Override
      public Task after(Duration delay, Runnable action) {
        return system.scheduler().scheduleOnce(delay, action, system.executionContext())::cancel;
      }

      @Override
      public void every(Duration pause, Runnable action) {
        var unused =
            system
                .scheduler()
                .scheduleWithFixedDelay(pause, pause, action, system.executionContext());
      }
    };
  }
}
