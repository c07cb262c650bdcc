package io.holdfast.entity;

import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.LockEvents;
import io.holdfast.journal.ProtoValues;
import io.holdfast.journal.state.Bytes;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.LeaseRef;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.lock.Batch;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Life;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockState;
import io.holdfast.lock.Settled;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One batch of a lock on its way to the journal: what it leaves for everyone to see, and needs. */
final class LockWrite {

  /*
   * A state is hardly longer than the events as long as the line is short, and replaces all events
   * before it: what the journal keeps and reads again of a lock stays small. With a line that is
   * longer than what happened, the state comes now and then only.
   */

  /** With so many waiters, or fewer, each batch comes with its state. */
  static final int SHORT_LINE = 2;

  /** The journal refuses a batch when twice as many have come without a state. */
  static final int STATE_EVERY = 16;

  private final long revisionBefore;

  /** Counts of public changes: before the first event, after it, after the second, and so on. */
  private final int[] changesBefore;

  private final FencedEvent<LockState> event;

  /**
   * A batch with an event at least.
   *
   * @param number of this write, among all of the lock
   * @param forgetBefore outcomes of requests before this place are needed no more
   */
  LockWrite(OwnedShard owned, Batch batch, long number, PastRequests past, long forgetBefore) {
    List<LockEvent> events = batch.events();
    LockState after = batch.after();
    boolean isForgotten = events.get(events.size() - 1) instanceof LockEvent.Forgotten;
    boolean isShort = after.waiters().size() <= Math.max(SHORT_LINE, events.size());
    revisionBefore = past.revision();
    changesBefore = new int[events.size() + 1];
    event =
        new FencedEvent<>(
            owned.shard(),
            owned.epoch(),
            new LockEvents(events),
            after,
            /* replaces= */ !isForgotten && (isShort || number % STATE_EVERY == 0),
            new Draft(
                changes(batch),
                /* leaseChange= */ null,
                leasesOfLine(after),
                past.answers(batch.settled()),
                needed(events),
                isForgotten,
                forgetBefore,
                need(batch),
                after.waiters().size()));
  }

  FencedEvent<LockState> event() {
    return event;
  }

  /**
   * The revision of the lock after so many of the events, and never a later one: who watches from
   * there on must not miss what has happened to it since. Once the batch is persisted.
   */
  long revision(int events) {
    int changes = changesBefore[events];
    return changes == 0 ? revisionBefore : event.revision(changes - 1);
  }

  private List<PublicChange> changes(Batch batch) {
    List<PublicChange> changes = new ArrayList<>(1);
    for (int i = 0; i < batch.events().size(); i++) {
      LockState then = batch.states().get(i);
      batch
          .events()
          .get(i)
          .match(new ChangeNote.OfLock())
          .ifPresent(note -> changes.add(change(then, note.toBytes())));
      changesBefore[i + 1] = changes.size();
    }
    return changes;
  }

  private static PublicChange change(LockState lock, Bytes note) {
    return lock.isFree()
        ? new PublicChange.Absent(note)
        : new PublicChange.Set(lock.holders().stream().map(LockWrite::part).toList(), note);
  }

  private static Part part(Holder holder) {
    return new Part(
        Bytes.of(ProtoValues.holder(holder).toByteArray()), lease(holder.life()).orElse(null));
  }

  private static List<LeaseRef> leasesOfLine(LockState lock) {
    return lock.waiters().isEmpty()
        ? List.of()
        : lock.waiters().stream()
            .flatMap(waiter -> lease(waiter.life()).stream())
            .distinct()
            .toList();
  }

  /** Nobody is granted a lock, or waits for one, by a lease that has ended. */
  private static List<LeaseRef> needed(List<LockEvent> events) {
    Set<LeaseRef> needed = new LinkedHashSet<>(0);
    for (LockEvent event : events) {
      granted(event)
          .or(() -> handedOver(event))
          .or(() -> queued(event))
          .flatMap(LockWrite::lease)
          .ifPresent(needed::add);
    }
    return List.copyOf(needed);
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

  private static Need need(Batch batch) {
    Need most = Need.NOTHING;
    for (LockEvent event : batch.events()) {
      most = most(most, event.match(NEED));
    }
    for (Settled settled : batch.settled().values()) {
      most = most(most, isBeside(settled) ? Need.RESERVE : Need.NOTHING);
    }
    return most;
  }

  private static Need most(Need one, Need other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /**
   * Most outcomes come with a grant or a place that goes; one of a count that went down does not.
   */
  private static boolean isBeside(Settled settled) {
    return settled instanceof Settled.Released released && released.count() > 0;
  }

  /** The end of a grant, a hand-over and leaving the line need none, whatever they leave behind. */
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
}
