package io.holdfast.simulation.journal;

import io.holdfast.journal.state.Bounds;
import java.util.List;
import java.util.SplittableRandom;

/** Locks and leases as simple as can be, so that all is about the journal below them. */
final class ModelLocks implements Tenancy {

  private static final Bounds BOUNDS = new Bounds(8, 128, 16, 256, 256);

  /** For more than one shard's grants and all leases, and less than those of two. */
  private static final int ROOM = 4_500;

  @Override
  public Bounds bounds() {
    return BOUNDS;
  }

  @Override
  public boolean isModel() {
    return true;
  }

  @Override
  public List<JournalInvariant> invariants(JournalWorld world) {
    return List.of(
        new TokenMonotonic(),
        new NoLostGrant(world, world.oneWriter()),
        new AtMostOnce(),
        new ServerNeverEarly(world),
        new StateBounded(world));
  }

  /** In some lives there is room for a part of all grants only. */
  @Override
  public long stateCapacity(JournalWorld world) {
    return world.manners().isShortOfRoom() ? ROOM + world.chance().nextInt(ROOM / 4) : 0;
  }

  @Override
  public Tenant begin(NodeProcess process, SplittableRandom by) {
    return new Shop(process.world(), process, by);
  }
}
