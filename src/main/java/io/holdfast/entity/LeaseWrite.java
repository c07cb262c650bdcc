package io.holdfast.entity;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.LeaseProto;
import io.holdfast.journal.PersistedLeaseEvent;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lease.rules.LeaseState;
import java.util.List;

/**
 * Translates one decision of a shared lease to a write of the journal. The end of a lease deletes
 * its record, and ends the holds and waits of everything on it.
 *
 * @param incarnation the incarnation of the lease, if it is alive
 */
record LeaseWrite(LeaseId lease, Revision incarnation, List<AnsweredRequest> answers)
    implements LeaseEvent.Cases<Draft> {

  FencedEvent<LeaseState> event(OwnedShard owned, LeaseEvent event, LeaseState after) {
    return new FencedEvent<>(
        owned.shard(),
        owned.epoch(),
        new PersistedLeaseEvent(event),
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
        new LeaseChange.Ends(LeaseLife.of(lease, incarnation)),
        /* tombstone= */ true);
  }

  private Draft draft(PublicChange change, LeaseChange leaseChange, boolean tombstone) {
    return new Draft(
        List.of(change),
        leaseChange,
        List.of(),
        List.of(),
        answers,
        List.of(),
        tombstone,
        /* forgetBefore= */ 0,
        tombstone ? Need.NOTHING : Need.ROOM,
        /* waiters= */ 0);
  }
}
