package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.ConfiguredMember;
import io.holdfast.coordination.state.Session;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Two processes that do not speak over Akka's links any more, for as long as both live, while they
 * go on in Raft. Each says so after a while, until the rules end one of them. Where no majority
 * could be left, Akka's word to one of them does.
 */
final class Quarantine {

  private static final int STRIKE_EVERY_US = 400_000;

  private static final int LOOK_EVERY_US = 150_000;

  private final JournalWorld world;
  private @Nullable SplittableRandom chance;
  private @Nullable NodeProcess one;
  private @Nullable NodeProcess other;
  private boolean isTold;
  private boolean hasTold;
  private boolean ends;

  Quarantine(JournalWorld world) {
    this.world = world;
  }

  /** It happens in this run. */
  void begin(SplittableRandom by) {
    chance = by;
    later(by, STRIKE_EVERY_US, () -> strike(by));
  }

  /** None begins any more. */
  void end() {
    ends = true;
  }

  private void later(SplittableRandom by, int withinUs, Runnable action) {
    world.scheduler().after(1 + by.nextInt(withinUs), "quarantine", action);
  }

  /** True if there is one now. */
  boolean isOn() {
    return chance != null && isRunning(one) && isRunning(other);
  }

  private boolean isRunning(@Nullable NodeProcess process) {
    return process != null && world.processOf(process.member()) == process;
  }

  /** True if these two do not speak. */
  boolean isBetween(NodeProcess from, NodeProcess to) {
    return chance != null && ((from == one && to == other) || (from == other && to == one));
  }

  /** True if the process does not speak with that of this session. */
  boolean isBetween(NodeProcess process, Session session) {
    NodeProcess far = process == one ? other : process == other ? one : null;
    return far != null
        && far.member().id().value() == session.member().value()
        && far.member().incarnation() == session.incarnation();
  }

  private void strike(SplittableRandom by) {
    if (ends) {
      return;
    }
    List<NodeProcess> running = world.processes().stream().filter(NodeProcess::isValid).toList();
    if (!isOn() && running.size() >= 2) {
      int first = by.nextInt(running.size());
      int second = by.nextInt(running.size() - 1);
      NodeProcess here = running.get(first);
      NodeProcess there = running.get(second < first ? second : second + 1);
      hasTold = false;
      one = here;
      other = there;
      world.scheduler().note(here + " and " + there + " do not speak any more");
      world.tally().count("quarantine");
      isTold = by.nextInt(4) == 0;
      int sureUs = 200_000 + by.nextInt(800_000); // until their failure detectors are
      here.member().later(sureUs, "looks", () -> look(by, here, there));
      there.member().later(sureUs, "looks", () -> look(by, there, here));
    }
    later(by, 3 * STRIKE_EVERY_US, () -> strike(by));
  }

  /** One of the two looks at its links, and again soon. */
  private void look(SplittableRandom by, NodeProcess who, NodeProcess far) {
    if (!isBetween(who, far) || !isOn()) {
      return;
    }
    if (!hasTold && (isTold || voters() <= 2)) {
      hasTold = true;
      world.tally().count("quarantine ends who hears of it");
      who.exit();
      return;
    }
    who.look();
    who.member().later(by.nextInt(LOOK_EVERY_US), "looks", () -> look(by, who, far));
  }

  private long voters() {
    return world.chronicle().coordination().members().stream()
        .filter(ConfiguredMember::votes)
        .count();
  }
}
