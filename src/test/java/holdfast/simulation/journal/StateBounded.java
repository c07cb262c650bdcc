package holdfast.simulation.journal;

import holdfast.coordination.state.CoordinationVerdict;
import holdfast.journal.state.Append;
import holdfast.journal.state.Need;
import holdfast.journal.state.Verdict;
import holdfast.simulation.Violation;
import java.util.List;

/**
 * All that is kept stays within its bound, the reserve beyond, and what one entry may add; what
 * ends something is never refused for want of room.
 */
final class StateBounded implements JournalInvariant {

  /** An entry has several appends, and each is judged by what was there before it. */
  private static final long AN_ENTRY = 4_096;

  private final JournalWorld world;
  private long most;

  StateBounded(JournalWorld world) {
    this.world = world;
  }

  /** A bound that comes down leaves what is there, which must not grow. */
  @Override
  public void coordinated(CoordinationVerdict verdict) {
    long bound = world.chronicle().coordination().stateBound();
    most = Math.max(size(), Need.withReserve(bound));
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (verdict instanceof Verdict.StateFull full && append.need() == Need.NOTHING) {
      throw new Violation("StateBounded", "refused as [" + full + "]: " + append);
    }
  }

  @Override
  public void entryJudged() {
    if (most != 0 && size() - AN_ENTRY > most) {
      throw new Violation("StateBounded", "[" + size() + "] bytes are above [" + most + "]");
    }
  }

  private long size() {
    return world.chronicle().footprint().size();
  }
}
