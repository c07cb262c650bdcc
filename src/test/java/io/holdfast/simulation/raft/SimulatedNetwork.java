package io.holdfast.simulation.raft;

import io.holdfast.raft.core.MemberId;
import io.holdfast.raft.core.Message;
import io.holdfast.simulation.Scheduler;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** A network that loses, repeats, delays and so reorders messages, and is cut in one direction. */
public final class SimulatedNetwork {

  private record Way(MemberId from, MemberId to) {}

  private final Scheduler scheduler;
  private final SplittableRandom chance;
  private final Consumer<Message> deliver;
  private final Set<Way> cut = new HashSet<>();
  private int lossPercent;
  private int repeatPercent;
  private int latePercent;
  private int usualUs = 1_000;

  SimulatedNetwork(Scheduler scheduler, SplittableRandom chance, Consumer<Message> deliver) {
    this.scheduler = scheduler;
    this.chance = chance;
    this.deliver = deliver;
  }

  void send(Message message) {
    if (isCut(message.from(), message.to()) || chance.nextInt(100) < lossPercent) {
      return;
    }
    deliverLater(message);
    if (chance.nextInt(100) < repeatPercent) {
      deliverLater(message);
    }
  }

  private void deliverLater(Message message) {
    int bound = chance.nextInt(100) < latePercent ? 400_000 : usualUs;
    scheduler.after(50 + chance.nextInt(bound), message, () -> deliver.accept(message));
  }

  /** True if nothing comes from one member to the other now. */
  public boolean isCut(MemberId from, MemberId to) {
    return cut.contains(new Way(from, to));
  }

  /** Becomes as bad as this run has it. */
  public void worsen() {
    lossPercent = chance.nextInt(3) == 0 ? 0 : chance.nextInt(12);
    repeatPercent = chance.nextInt(2) == 0 ? 0 : chance.nextInt(10);
    latePercent = chance.nextInt(2) == 0 ? 0 : chance.nextInt(8);
    usualUs = 200 + chance.nextInt(6_000);
  }

  public void cut(MemberId from, MemberId to) {
    cut.add(new Way(from, to));
  }

  public void mend() {
    cut.clear();
  }

  /** Becomes perfect. */
  public void heal() {
    mend();
    lossPercent = 0;
    repeatPercent = 0;
    latePercent = 0;
    usualUs = 1_000;
  }
}
