package io.holdfast.entity;

import akka.actor.typed.ActorSystem;
import java.time.Duration;

/** What is to be done, and not here and now. */
interface Agenda {

  /** Something that is to be done once, later. */
  interface Plan {

    /** Leaves it undone, if it is not done yet. */
    void cancel();
  }

  /** As soon as a thread is free. */
  void soon(Runnable action);

  /** Once, after this time. */
  Plan after(Duration delay, Runnable action);

  /** Again and again, with this time between; not any more after a failure. */
  void every(Duration pause, Runnable action);

  /** On the threads of an actor system, for as long as it lives. */
  static Agenda of(ActorSystem<?> system) {
    return new Agenda() {
      @Override
      public void soon(Runnable action) {
        system.executionContext().execute(action);
      }

      @Override
      public Plan after(Duration delay, Runnable action) {
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
