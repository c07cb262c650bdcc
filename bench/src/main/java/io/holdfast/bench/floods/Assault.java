package io.holdfast.bench.floods;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs an attack on every node at once, beside a bystander, and checks the damage. */
final class Assault {

  private static final long BACK_WITHIN_MS = 30_000;
  private static final long ANSWER_WITHIN_MS = 20_000;
  private static final long LOOK_MS = 250;
  private static final long BETWEEN_COLLECTIONS_MS = 2_000;

  private final Ground ground;
  private final Attack attack;
  private final int attackers;
  private final Tally tally = new Tally();
  private List<Footprint> after = List.of();

  private Assault(Ground ground, Attack attack, int attackers) {
    this.ground = ground;
    this.attack = attack;
    this.attackers = attackers;
  }

  /** Runs it by so many attackers of each node. */
  static Outcome run(Ground ground, Attack attack, int attackers, long lastsMs) throws IOException {
    return new Assault(ground, attack, attackers).run(lastsMs);
  }

  private Outcome run(long lastsMs) throws IOException {
    long log = ground.logBytes();
    try (Bystander bystander = Bystander.begin(ground::connect)) {
      bystander.awaitAnswer(ANSWER_WITHIN_MS);
      bystander.measure();
      attack(lastsMs);
      long end = System.nanoTime();
      if (ground.ended().isEmpty()) {
        bystander.awaitAnswer(ANSWER_WITHIN_MS);
      }
      long pause = bystander.longestMs();
      String loss = bystander.loss();
      long back = awaitBack(end);
      String node = ground.ended();
      if (node.isEmpty() && !ground.serves()) {
        node = ground.ended().isEmpty() ? "hangs" : ground.ended();
      }
      return new Outcome(
          attack.name(),
          node,
          loss.isEmpty() ? bystander.confirmedLoss() : loss,
          pause,
          bystander.failures(),
          most(ground.before()),
          most(after),
          back,
          ground.logBytes() - log,
          tally.line());
    }
  }

  private void attack(long lastsMs) throws IOException {
    List<Siege> sieges = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int node : ground.nodes()) {
      for (int i = 0; i < attackers; i++) {
        InetAddress from = ground.stranger();
        Siege siege =
            new Siege(ground.place(node), ground.pid(node), from, attackers, lastsMs, tally);
        sieges.add(siege);
        Thread thread = new Thread(() -> act(siege), "attack-" + node + "-" + i);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lastsMs);
    threads.forEach(thread -> join(thread, end));
    sieges.forEach(Siege::close);
    threads.forEach(thread -> join(thread, System.nanoTime() + TimeUnit.SECONDS.toNanos(5)));
  }

  private void act(Siege siege) {
    while (siege.goesOn()) {
      try {
        attack.act().on(siege);
        return;
      } catch (IOException | RuntimeException e) {
        tally.count(e.getClass().getSimpleName());
        siege.pause(100); // the node takes nothing now: try again
      }
    }
  }

  private static void join(Thread thread, long end) {
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      thread.join(Math.max(1, left));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the nodes have recovered. Returns the time that it took; negative if it takes too
   * long.
   */
  private long awaitBack(long end) {
    while (ground.ended().isEmpty()) {
      try {
        boolean last = sinceMs(end) > BACK_WITHIN_MS;
        if (last || ground.mayBeAsBefore()) {
          after = ground.footprints();
          if (ground.isAsBefore(after)) {
            return sinceMs(end);
          }
          Pause.of(BETWEEN_COLLECTIONS_MS);
        }
        if (last) {
          return -1;
        }
      } catch (RuntimeException e) {
        tally.count("no answer to jcmd");
        return -1;
      }
      Pause.of(LOOK_MS);
    }
    return -1;
  }

  private static String most(List<Footprint> footprints) {
    return footprints.stream()
        .max(Comparator.comparingLong(Footprint::liveBytes))
        .map(Footprint::line)
        .orElse("-");
  }

  private static long sinceMs(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }
}
