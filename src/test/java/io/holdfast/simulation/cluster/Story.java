package io.holdfast.simulation.cluster;

import io.holdfast.id.ShardId;
import io.holdfast.simulation.Scheduler;
import io.holdfast.simulation.journal.JournalSimulation;
import io.holdfast.simulation.journal.NodeProcess;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A life of the whole that follows a script, for people to read: a holder pauses, its lock goes on,
 * and the store refuses what it writes when it is back; a holder dies; a node dies, and another one
 * takes over. Everything in it is what the simulation runs, with all its invariants.
 */
public final class Story {

  private static final String KEY = "alpha";
  private static final long TTL_MS = 900;
  private static final long BEGINS_US = 1_500_000;
  private static final long ENDS_US = 30_000_000;

  private final Narrator narrator;
  private final Scheduler scheduler = new Scheduler();
  private final ClusterLocks locks;
  private boolean isOver;

  private Story(Consumer<String> out) {
    narrator = new Narrator(scheduler, out);
    locks = new ClusterLocks(this::begin, narrator);
  }

  /** Plays it; the answer is null if it came to its end and everything held. */
  public static @Nullable String play(long seed, Consumer<String> out) {
    Story story = new Story(out);
    return JournalSimulation.play(seed, story.scheduler, story.locks, () -> story.isOver, ENDS_US);
  }

  private void begin() {
    say("Three nodes form a cluster. Ada, Ben and Cleo write to a store behind the lock [alpha].");
    scheduler.after(BEGINS_US, "the story begins", this::aHolderPauses);
  }

  private Persona persona(String name) {
    return new Persona(locks.newPersona(name), KEY, TTL_MS);
  }

  private void say(String what) {
    narrator.say(what);
  }

  private void aHolderPauses() {
    say("--- A holder pauses.");
    Persona ada = persona("Ada");
    Persona ben = persona("Ben");
    ada.acquire(
        token ->
            ada.write(
                () -> {
                  ben.acquire(
                      theirs ->
                          ben.write(() -> say("Ben works. Ada does not know of it."), () -> {}));
                  soon(
                      () -> {
                        say("Ada is about to write, and is stopped: it does not run, nor renew.");
                        ada.process().pause(3_000_000);
                        ada.process().later(0, "writes", () -> write(ada, ben));
                      });
                },
                () -> {}));
  }

  private void write(Persona ada, Persona ben) {
    say("Ada goes on, and writes as if it still held the lock.");
    ada.write(
        () -> say("Nobody noticed."),
        () -> {
          say("Ada is fenced: the work of Ben is safe.");
          aHolderDies(ben);
        });
  }

  private void aHolderDies(Persona ben) {
    say("--- A holder dies.");
    Persona cleo = persona("Cleo");
    cleo.acquire(token -> cleo.write(() -> aNodeDies(cleo), () -> {}));
    soon(
        () -> {
          say("Ben dies, and gives nothing back.");
          ben.process().die();
        });
  }

  private void aNodeDies(Persona cleo) {
    say("--- A node dies.");
    ShardId shard = locks.book().shardOf(KEY);
    for (NodeProcess process : locks.world().processes()) {
      if (process.holdingOf(shard) != null) {
        say("Node " + process.member().id().value() + ", which keeps the lock, is killed.");
        locks.world().kill(process, /* downUs= */ 5_000_000);
        break;
      }
    }
    scheduler.after(
        4_000_000,
        "Cleo writes",
        () ->
            cleo.write(
                () -> {
                  say("Cleo held the lock all the time, under the same token.");
                  cleo.release(
                      () -> {
                        say("--- The end.");
                        isOver = true;
                      });
                },
                () -> {}));
  }

  private void soon(Runnable action) {
    scheduler.after(300_000, "soon", action);
  }
}
