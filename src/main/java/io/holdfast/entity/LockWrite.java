package io.holdfast.entity;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.journal.ChangeNote;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.PersistedLockEvents;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.rules.Batch;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.lock.rules.RecordedOutcome;
import io.holdfast.lock.rules.WaiterQueue;
import io.holdfast.wire.ProtoValues;
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
   * before it, so that the journal of a lock stays small. With a longer queue, a write has a state
   * once the events since the last one are half as long as the queue. So the bytes of a write do not
   * grow with the queue, and a recovery reads little more than the queue.
   */

  /** The largest queue with which each write has the state. */
  static final int SHORT_QUEUE = 2;

  /** The bytes of events that may always follow a state. */
  static final int FEW_BYTES = 8 << 10;

  /** The bytes of events from which on a write has a state, however long the queue. */
  private static final int MANY_BYTES = 1 << 19;

  /* The bytes that are counted of a write, and of each of its events beside those of its waiter. */
  private static final int WRITE_BYTES = 100;
  private static final int EVENT_BYTES = 48;

  /** The value of {@link #unsaved} of a lock whose events since its last state are not counted. */
  static final long UNKNOWN = Long.MAX_VALUE / 2;

  private final Revision revisionBefore;

  /**
   * The numbers of public changes before the first event, after it, after the second, and so on.
   */
  private final int[] changesBefore;

  private final FencedEvent<LockState> event;

  private final long unsaved;

  /**
   * Creates the write of a batch with at least one event.
   *
   * @param unsavedBefore the {@linkplain #unsaved bytes since the last state} before it
   * @param forgetBefore the position before which recorded outcomes have expired
   */
  LockWrite(
      OwnedShard owned,
      Batch batch,
      long unsavedBefore,
      RequestHistory history,
      long forgetBefore) {
    List<LockEvent> events = batch.events();
    LockState after = batch.after();
    boolean isForgotten = events.get(events.size() - 1) instanceof LockEvent.Forgotten;
    boolean isShort = after.waiters().size() <= Math.max(SHORT_QUEUE, events.size());
    long then = unsavedBefore + bytes(batch);
    boolean hasState = !isForgotten && (isShort || then > bytesBetweenStates(after));
    unsaved = hasState ? 0 : then;
    List<LeaseLife> touched = leasesOfWaits(batch);
    revisionBefore = history.revision();
    changesBefore = new int[events.size() + 1];
    event =
        new FencedEvent<>(
            owned.shard(),
            owned.epoch(),
            new PersistedLockEvents(events),
            after,
            /* replaces= */ hasState,
            new Draft(
                changes(batch),
                /* leaseChange= */ null,
                attached(touched, batch.before(), after),
                attached(touched, after, batch.before()),
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

  /** Returns about how many bytes of events follow the last state once this is written. */
  long unsaved() {
    return unsaved;
  }

  private static long bytesBetweenStates(LockState lock) {
    return Math.min(MANY_BYTES, Math.max(FEW_BYTES, lock.waiters().bytes() / 2));
  }

  /** Returns about how many bytes the events have: most are those of waiters who come or leave. */
  private static long bytes(Batch batch) {
    long bytes = WRITE_BYTES;
    int before = batch.before().waiters().bytes();
    for (LockState state : batch.states()) {
      int now = state.waiters().bytes();
      bytes += EVENT_BYTES + Math.abs(now - before);
      before = now;
    }
    return bytes;
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

  /** Returns the leases of those who began or ended to wait, each once. */
  private static List<LeaseLife> leasesOfWaits(Batch batch) {
    Set<LeaseLife> leases = new LinkedHashSet<>(0);
    for (int i = 0; i < batch.events().size(); i++) {
      LockEvent event = batch.events().get(i);
      WaiterQueue before = (i == 0 ? batch.before() : batch.states().get(i - 1)).waiters();
      queued(event)
          .or(() -> handedOver(event))
          .or(() -> left(event, before))
          .flatMap(Lifetime::lease)
          .ifPresent(leases::add);
    }
    return List.copyOf(leases);
  }

  /** Returns those of the leases by which some wait now, and nobody did before. */
  private static List<LeaseLife> attached(List<LeaseLife> some, LockState before, LockState now) {
    List<LeaseLife> attached = new ArrayList<>(0);
    for (LeaseLife lease : some) {
      if (now.waiters().hangsOn(lease) && !before.waiters().hangsOn(lease)) {
        attached.add(lease);
      }
    }
    return attached;
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

  private static Optional<Lifetime> left(LockEvent event, WaiterQueue before) {
    return event instanceof LockEvent.Left left
        ? Optional.of(before.get(before.position(left.request()) - 1).life())
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
