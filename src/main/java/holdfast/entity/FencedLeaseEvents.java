package holdfast.entity;

import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import holdfast.coordination.OwnedShard;
import holdfast.journal.ChangeNote;
import holdfast.journal.FencedEvent;
import holdfast.journal.LeaseProto;
import holdfast.journal.Receipt;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.LeaseChange;
import holdfast.journal.state.Need;
import holdfast.journal.state.Part;
import holdfast.journal.state.PublicChange;
import holdfast.lease.LeaseEvent;
import java.util.List;

/**
 * One lease's events on their way to the journal and back. The end of a lease leaves nothing of it,
 * and takes along what hung on it. Belongs to one actor.
 */
final class FencedLeaseEvents extends EventAdapter<LeaseEvent, Object> {

  private final OwnedShard owned;
  private final long lease;
  private List<Answer> answers = List.of();
  private long incarnation;
  private Receipt receipt = Receipt.NONE;

  FencedLeaseEvents(OwnedShard owned, long lease) {
    this.owned = owned;
    this.lease = lease;
  }

  /**
   * An event comes now.
   *
   * @param answering what a request comes to with it
   * @param ending the incarnation that it ends, if it does
   * @return its receipt
   */
  Receipt expect(List<Answer> answering, long ending) {
    answers = answering;
    incarnation = ending;
    receipt = new Receipt();
    return receipt;
  }

  @Override
  public Object toJournal(LeaseEvent event) {
    return event.match(
        new LeaseEvent.Cases<>() {
          @Override
          public FencedEvent granted(LeaseEvent.Granted granted) {
            return fenced(
                event,
                new PublicChange.Set(
                    List.of(Part.of(LeaseProto.record(granted.terms()))), Bytes.EMPTY),
                new LeaseChange.Begins(lease),
                /* tombstone= */ false);
          }

          @Override
          public FencedEvent ended(LeaseEvent.Ended ended) {
            return fenced(
                event,
                new PublicChange.Absent(ChangeNote.of(ended.cause()).toBytes()),
                new LeaseChange.Ends(lease, incarnation),
                /* tombstone= */ true);
          }
        });
  }

  private FencedEvent fenced(
      LeaseEvent event, PublicChange change, LeaseChange leaseChange, boolean tombstone) {
    return new FencedEvent(
        owned.shard(),
        owned.epoch(),
        event,
        null,
        change,
        leaseChange,
        List.of(),
        answers,
        List.of(),
        tombstone,
        0,
        tombstone ? Need.NOTHING : Need.ROOM,
        /* waiters= */ 0,
        receipt);
  }

  @Override
  public EventSeq<LeaseEvent> fromJournal(Object event, String manifest) {
    return EventSeq.single((LeaseEvent) event);
  }

  @Override
  public String manifest(LeaseEvent event) {
    return "";
  }
}
