package holdfast.entity;

import holdfast.coordination.OwnedShard;
import holdfast.journal.ChangeNote;
import holdfast.journal.FencedEvent;
import holdfast.journal.LeaseHappening;
import holdfast.journal.LeaseProto;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.Draft;
import holdfast.journal.state.LeaseChange;
import holdfast.journal.state.Need;
import holdfast.journal.state.Part;
import holdfast.journal.state.PublicChange;
import holdfast.lease.LeaseEvent;
import holdfast.lease.LeaseState;
import java.util.List;

/**
 * One decision of a shared lease on its way to the journal. The end of a lease leaves nothing of
 * it, and takes along what hung on it.
 *
 * @param incarnation of the lease, if it is alive
 */
record LeaseWrite(long lease, long incarnation, List<Answer> answers)
    implements LeaseEvent.Cases<Draft> {

  FencedEvent<LeaseState> event(OwnedShard owned, LeaseEvent event, LeaseState after) {
    return new FencedEvent<>(
        owned.shard(),
        owned.epoch(),
        new LeaseHappening(event),
        after,
        /* replaces= */ false,
        event.match(this));
  }

  @Override
  public Draft granted(LeaseEvent.Granted granted) {
    return draft(
        new PublicChange.Set(List.of(Part.of(LeaseProto.record(granted.terms()))), Bytes.EMPTY),
        new LeaseChange.Begins(lease),
        /* tombstone= */ false);
  }

  @Override
  public Draft ended(LeaseEvent.Ended ended) {
    return draft(
        new PublicChange.Absent(ChangeNote.of(ended.cause()).toBytes()),
        new LeaseChange.Ends(lease, incarnation),
        /* tombstone= */ true);
  }

  private Draft draft(PublicChange change, LeaseChange leaseChange, boolean tombstone) {
    return new Draft(
        List.of(change),
        leaseChange,
        List.of(),
        answers,
        List.of(),
        tombstone,
        /* forgetBefore= */ 0,
        tombstone ? Need.NOTHING : Need.ROOM,
        /* waiters= */ 0);
  }
}
