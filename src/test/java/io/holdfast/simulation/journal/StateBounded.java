package io.holdfast.simulation.journal;

import io.holdfast.coordination.state.CoordinationVerdict;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Verdict;
import io.holdfast.simulation.Violation;
import java.util.List;

/**
 * All that is kept stays within its bound, the reserve beyond, and what one append may add; what
 * ends something is never refused for want of room.
 */
final class StateBounded implements JournalInvariant {

  /** The last append that has room is judged by what was there before it. */
  private static final long AN_APPEND = 1_500;

  private final JournalWorld world;
  private long most;
  private long before;
  private int judged;
  private boolean hadRoom;

  StateBounded(JournalWorld world) {
    this.world = world;
  }

  /** A bound that comes down leaves what is there, which must not grow. */
  @Override
  public void coordinated(CoordinationVerdict verdict) {
    most = Math.max(size(), Need.withReserve(bound()));
  }

  @Override
  public void judged(Append append, List<Change> changes, Verdict verdict) {
    if (verdict instanceof Verdict.StateFull full && append.draft().need() == Need.NOTHING) {
      throw new Violation("StateBounded", "refused as [" + full + "]: " + append);
    }
    judged++;
    hadRoom = append.draft().need() == Need.ROOM && verdict instanceof Verdict.Applied;
  }

  @Override
  public void entryJudged() {
    boolean grew = size() > before; // else it is a copy of one that was applied already
    if (judged == 1 && hadRoom && grew && before >= bound()) {
      throw new Violation(
          "StateBounded", "[" + before + "] bytes of [" + bound() + "], and more was granted");
    } else if (most != 0 && size() - AN_APPEND > most) {
      throw new Violation("StateBounded", "[" + size() + "] bytes are above [" + most + "]");
    }
    judged = 0;
    before = size();
  }

  private long bound() {
    return world.chronicle().coordination().stateBound();
  }

  private long size() {
    return world.chronicle().footprint().size();
  }
}
