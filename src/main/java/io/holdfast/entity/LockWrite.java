package io.holdfast.entity;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.PersistedLockEvents;
import io.holdfast.journal.ProtoValues;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.lock.Batch;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockState;
import io.holdfast.lock.RecordedOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Translates one batch of a lock to a write of the journal, with its public changes and
 * preconditions.
 */
final class LockWrite {

  /* The write has the state of the lock as long as the queue is short. A state replaces all events
   * before it, so that the journal of a lock stays small. With a longer queue, only some writes have
   * a state.
   */

  /** The largest queue with which each write has the state. */
  static final int SHORT_QUEUE = 2;

  /** The number of writes with one state. The journal refuses twice as many without a state. */
  static final int STATE_EVERY = 16;

  private final Revision revisionBefore;

  /**
   * The numbers of public changes before the first event, after it, after the second, and so on.
   */
  private final int[] changesBefore;

  private final FencedEvent<LockState> event;

  /**
   * Creates the write of a batch with at least one event.
   *
   * @param number the number of this write among all of the lock
   * @param forgetBefore the position before which recorded outcomes have expired
   */
  LockWrite(OwnedShard owned, Batch batch, long number, RequestHistory history, long forgetBefore) {
    List<LockEvent> events = batch.events();
    LockState after = batch.after();
    boolean isForgotten = events.get(events.size() - 1) instanceof LockEvent.Forgotten;
    boolean isShort = after.waiters().size() <= Math.max(SHORT_QUEUE, events.size());
    revisionBefore = history.revision();
    changesBefore = new int[events.size() + 1];
    event =
        new FencedEvent<>(
            owned.shard(),
            owned.epoch(),
            new PersistedLockEvents(events),
            after,
            /* replaces= */ !isForgotten && (isShort || number % STATE_EVERY == 0),
            new Draft(
                changes(batch),
                /* leaseChange= */ null,
                leasesOfQueue(after),
                history.answers(batch.recorded()),
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
   * Returns the revision of the lock after a number of events, once the batch is persisted. It is
   * never too late: a watch from there must not miss a later change.
   */
  Revision revision(int events) {
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
        Bytes.of(ProtoValues.holder(holder).toByteArray()), holder.life().lease().orElse(null));
  }

  private static List<LeaseLife> leasesOfQueue(LockState lock) {
    return lock.waiters().isEmpty()
        ? List.of()
        : lock.waiters().stream()
            .flatMap(waiter -> waiter.life().lease().stream())
            .distinct()
            .toList();
  }

  /** Returns the leases that must be alive: no grant and no wait may begin on an ended lease. */
  private static List<LeaseLife> needed(List<LockEvent> events) {
    Set<LeaseLife> needed = new LinkedHashSet<>(0);
    for (LockEvent event : events) {
      granted(event)
          .or(() -> handedOver(event))
          .or(() -> queued(event))
          .flatMap(Lifetime::lease)
          .ifPresent(needed::add);
    }
    return List.copyOf(needed);
  }

  // Each tests one class: an instanceof ladder over the events would have to name them all.

  private static Optional<Lifetime> granted(LockEvent event) {
    return event instanceof LockEvent.Granted granted
        ? Optional.of(granted.holder().life())
        : Optional.empty();
  }

  private static Optional<Lifetime> handedOver(LockEvent event) {
    return event instanceof LockEvent.HandedOver handedOver
        ? Optional.of(handedOver.next().life())
        : Optional.empty();
  }

  private static Optional<Lifetime> queued(LockEvent event) {
    return event instanceof LockEvent.Queued queued
        ? Optional.of(queued.waiter().life())
        : Optional.empty();
  }

  private static Need need(Batch batch) {
    Need most = Need.NOTHING;
    for (LockEvent event : batch.events()) {
      most = most(most, event.match(NEED));
    }
    for (RecordedOutcome recorded : batch.recorded().values()) {
      most = most(most, needsReserve(recorded) ? Need.RESERVE : Need.NOTHING);
    }
    return most;
  }

  private static Need most(Need one, Need other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  /** True for an outcome that frees no space. Most come with the end of a grant or a wait. */
  private static boolean needsReserve(RecordedOutcome recorded) {
    return recorded instanceof RecordedOutcome.Released released && released.count() > 0;
  }

  /** The room that an event needs. Ends of grants, hand-overs and leaving the queue need none. */
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
