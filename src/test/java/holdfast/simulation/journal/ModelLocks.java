package holdfast.simulation.journal;

import holdfast.journal.state.Bounds;
import java.util.List;
import java.util.SplittableRandom;

/** Locks and leases as simple as can be, so that all is about the journal below them. */
final class ModelLocks implements Tenancy {

  private static final Bounds BOUNDS = new Bounds(8, 128, 16, 256, 256, 4);

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
        new ServerNeverEarly(world));
  }

  @Override
  public Tenant begin(NodeProcess process, SplittableRandom by) {
    return new Shop(process.world(), process, by);
  }
}
