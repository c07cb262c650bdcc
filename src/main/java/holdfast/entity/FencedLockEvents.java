package holdfast.entity;

import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.EventSeq;
import holdfast.coordination.OwnedShard;
import holdfast.journal.ChangeNote;
import holdfast.journal.FencedEvent;
import holdfast.journal.LockRecord;
import holdfast.journal.ProtoValues;
import holdfast.journal.Receipt;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.LeaseRef;
import holdfast.journal.state.Need;
import holdfast.journal.state.Part;
import holdfast.journal.state.PublicChange;
import holdfast.lock.Holder;
import holdfast.lock.Life;
import holdfast.lock.LockEvent;
import holdfast.lock.LockState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One lock's events on their way to the journal and back: each goes there with the epoch under
 * which the lock's actor was made, with what it leaves for everyone to see, and mostly with the
 * state in place of the history. Belongs to one actor.
 */
final class FencedLockEvents extends EventAdapter<LockEvent, Object> {

  /*
   * A state is hardly longer than an event as long as the line is short, and replaces all events
   * before it: what the journal keeps and reads again of a lock stays small. With a long line the
   * state comes now and then only.
   */

  /** With so many waiters, or fewer, each event comes with its state. */
  static final int SHORT_LINE = 2;

  /** The journal refuses an event when twice as many have come without a state. */
  static final int STATE_EVERY = 16;

  private final OwnedShard owned;
  private LockState lock = LockState.FREE;
  private int eventsSinceState;
  private int left;
  private long forgetBefore;
  private List<Answer> answers = List.of();
  private Need need = Need.NOTHING;
  private List<Receipt> receipts = List.of();

  FencedLockEvents(OwnedShard owned) {
    this.owned = owned;
  }

  /** The lock is this, after recovery. */
  void recovered(LockState state) {
    lock = state;
  }

  /**
   * So many events come now, to be persisted together.
   *
   * @param answering what requests come to with them
   * @param needing how much room that needs
   * @param forgetsBefore outcomes of requests before this place are needed no more
   * @return the receipt of each, once they have come
   */
  List<Receipt> expect(int events, List<Answer> answering, Need needing, long forgetsBefore) {
    forgetBefore = forgetsBefore;
    left = events;
    answers = answering;
    need = needing;
    receipts = new ArrayList<>(events);
    return receipts;
  }

  @Override
  public Object toJournal(LockEvent event) {
    lock = lock.apply(event);
    left--;
    eventsSinceState++;
    boolean isLast = left <= 0;
    boolean forgotten = event instanceof LockEvent.Forgotten;
    boolean isShort = lock.waiters().size() <= SHORT_LINE;
    boolean replaces = isLast && !forgotten && (isShort || eventsSinceState >= STATE_EVERY);
    if (replaces) {
      eventsSinceState = 0;
    }
    Receipt receipt = new Receipt();
    receipts.add(receipt);
    return new FencedEvent(
        owned.shard(),
        owned.epoch(),
        event,
        replaces ? new LockRecord(lock) : null,
        change(event),
        null,
        leasesOfLine(),
        isLast ? answers : List.of(),
        needed(event),
        forgotten,
        forgetBefore,
        needs(event),
        lock.waiters().size(),
        receipt);
  }

  private Need needs(LockEvent event) {
    Need own = event.match(NEED);
    return own.compareTo(need) < 0 ? need : own;
  }

  /** What ends a grant, hands it on or leaves the line needs none, whatever it leaves behind. */
  private static final LockEvent.Cases<Need> NEED =
      new LockEvent.Cases<>() {
        @Override
        public Need granted(LockEvent.Granted granted) {
          return Need.ROOM;
        }

        @Override
        public Need reentered(LockEvent.Reentered reentered) {
          return Need.ROOM;
        }

        @Override
        public Need steppedOut(LockEvent.SteppedOut steppedOut) {
          return Need.NOTHING;
        }

        @Override
        public Need aged(LockEvent.Aged aged) {
          return Need.NOTHING;
        }

        @Override
        public Need queued(LockEvent.Queued queued) {
          return Need.ROOM;
        }

        @Override
        public Need left(LockEvent.Left left) {
          return Need.NOTHING;
        }

        @Override
        public Need barred(LockEvent.Barred barred) {
          return Need.RESERVE;
        }

        @Override
        public Need freed(LockEvent.Freed freed) {
          return Need.NOTHING;
        }

        @Override
        public Need handedOver(LockEvent.HandedOver handedOver) {
          return Need.NOTHING;
        }

        @Override
        public Need forgotten(LockEvent.Forgotten forgotten) {
          return Need.NOTHING;
        }
      };

  private List<LeaseRef> leasesOfLine() {
    return lock.waiters().isEmpty()
        ? List.of()
        : lock.waiters().stream()
            .flatMap(waiter -> lease(waiter.life()).stream())
            .distinct()
            .toList();
  }

  private PublicChange change(LockEvent event) {
    Optional<Bytes> note = event.match(new ChangeNote.OfLock()).map(ChangeNote::toBytes);
    if (note.isEmpty()) {
      return PublicChange.none();
    }
    return lock.isFree()
        ? new PublicChange.Absent(note.get())
        : new PublicChange.Set(
            lock.holders().stream().map(FencedLockEvents::part).toList(), note.get());
  }

  private static Part part(Holder holder) {
    return new Part(
        Bytes.of(ProtoValues.holder(holder).toByteArray()), lease(holder.life()).orElse(null));
  }

  /** Nobody is granted a lock, or waits for one, by a lease that has ended. */
  private static List<LeaseRef> needed(LockEvent event) {
    return granted(event)
        .or(() -> handedOver(event))
        .or(() -> queued(event))
        .flatMap(FencedLockEvents::lease)
        .stream()
        .toList();
  }

  // Each asked alone: a ladder over the events would have to name them all.

  private static Optional<Life> granted(LockEvent event) {
    return event instanceof LockEvent.Granted granted
        ? Optional.of(granted.holder().life())
        : Optional.empty();
  }

  private static Optional<Life> handedOver(LockEvent event) {
    return event instanceof LockEvent.HandedOver handedOver
        ? Optional.of(handedOver.next().life())
        : Optional.empty();
  }

  private static Optional<Life> queued(LockEvent event) {
    return event instanceof LockEvent.Queued queued
        ? Optional.of(queued.waiter().life())
        : Optional.empty();
  }

  private static Optional<LeaseRef> lease(Life life) {
    return life.lease().map(lease -> new LeaseRef(lease.id(), lease.incarnation()));
  }

  @Override
  public EventSeq<LockEvent> fromJournal(Object event, String manifest) {
    eventsSinceState++;
    return EventSeq.single((LockEvent) event);
  }

  @Override
  public String manifest(LockEvent event) {
    return "";
  }
}
