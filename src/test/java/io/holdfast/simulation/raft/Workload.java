package io.holdfast.simulation.raft;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** Clients of the cluster: proposals and reads at any member, alone and in bursts. */
final class Workload {

  private static final int MEAN_GAP_US = 10_000;

  private final RaftWorld world;
  private final SplittableRandom chance;
  private final int readPercent;
  private long nextId = 1;
  private boolean ended;

  Workload(RaftWorld world) {
    this.world = world;
    chance = world.chance().split();
    readPercent = chance.nextInt(4) == 0 ? 98 : 40;
  }

  void begin() {
    world.scheduler().after(chance.nextInt(2 * MEAN_GAP_US), "client", this::act);
  }

  void end() {
    ended = true;
  }

  private void act() {
    if (ended) {
      return;
    }
    SimulatedMember member = target();
    if (chance.nextInt(100) < readPercent) {
      read(member, 1 + chance.nextInt(2));
    } else {
      propose(member, chance.nextInt(8) == 0 ? 1 + chance.nextInt(12) : 1);
    }
    begin();
  }

  /* Clients like the leader, or whoever says it is. */
  private SimulatedMember target() {
    int kind = chance.nextInt(10);
    SimulatedMember leader = kind < 4 ? world.leader() : null;
    if (kind >= 8) {
      for (SimulatedMember member : world.members()) {
        leader = member.leads() && (leader == null || chance.nextBoolean()) ? member : leader;
      }
    }
    return leader != null ? leader : world.anyMember();
  }

  private void read(SimulatedMember member, int count) {
    member.input(
        core -> {
          for (int i = 0; i < count; i++) {
            long id = nextId++;
            world.tell(each -> each.readAsked(member, id));
            core.read(id);
          }
        });
  }

  private void propose(SimulatedMember member, int count) {
    member.input(
        core -> {
          for (int i = 0; i < count; i++) {
            long id = nextId++;
            world.tell(each -> each.proposed(member, id));
            int padding = chance.nextInt(40);
            core.propose(id, ByteBuffer.allocate(8 + padding).putLong(id).array());
          }
        });
  }
}
