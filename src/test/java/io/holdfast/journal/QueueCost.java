package io.holdfast.journal;

import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.internal.journal.StoredEvent;
import io.holdfast.internal.journal.StoredState;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.Effects;
import io.holdfast.journal.state.JournalState;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import io.holdfast.lock.rules.Batch;
import io.holdfast.lock.rules.DecisionContext;
import io.holdfast.lock.rules.Limits;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Measures an event of a lock with a long queue, step by step. Its main prints the figures in
 * docs/performance.md: for queues of one session, and for queues with a session for each waiter.
 */
public final class QueueCost {

  private static final LockEventSerializer SERIALIZER = new LockEventSerializer();
  private static final int[] LENGTHS = {1, 10, 100, 1_000, 10_000};
  private static final long LEAST_NANOS = 300_000_000;
  private static final int STATE_EVERY = 16;
  private static final int ID = 7;

  private final int sessions;
  private final JournalState journal = new JournalState(Bounds.DEFAULT, 0);
  private final LockMachine machine = new LockMachine(/* maxWaiters= */ 20_000);
  private final List<LeaseLife> leases = new ArrayList<>();
  private LockState state;
  private long token = 1;
  private int next;
  private long number;
  private long sequenceNr;

  private QueueCost(int length, boolean isOneSession) {
    sessions = isOneSession ? 1 : length;
    for (int i = 0; i < sessions; i++) {
      apply(begin(i));
      leases.add(LeaseLife.of(new LeaseId(lease(i)), journal.revision()));
    }
    List<Waiter> waiters = IntStream.range(1, length + 1).mapToObj(this::waiter).toList();
    next = length + 1;
    state = new LockState(List.of(granted(waiter(0))), waiters);
    sequenceNr = 0;
  }

  public static void main(String[] arguments) {
    for (boolean isOneSession : new boolean[] {true, false}) {
      System.out.printf(
          "%n%-12s %9s %9s %9s %9s %9s %9s %9s %9s %9s   us; bytes: state, entry%n",
          isOneSession ? "one session" : "sessions",
          "apply",
          "decide",
          "event",
          "state",
          "entry",
          "read back",
          "journal",
          "with st.",
          "read all");
      for (int round = 0; round < 2; round++) {
        for (int length : LENGTHS) {
          new QueueCost(length, isOneSession).print(length);
        }
      }
    }
  }

  private void print(int length) {
    double apply = perEvent(this::turn) / 4;
    double decide = perEvent(this::decided) / 2;
    double event = perEvent(() -> event(handOver()).size());
    double ofState = perEvent(() -> stored().size());
    Bytes stored = stored();
    attach(stored); // the lock exists from here on
    byte[] entry = entry(append(false, null));
    double write = perEvent(() -> entry(append(false, null)).length);
    double read = perEvent(() -> EntryCodec.decode(entry).number());
    double without = journal(stored, false);
    double with = journal(stored, true);
    String id = "lock|long-" + ID;
    double all =
        perEvent(
            () ->
                LockHistoryReader.read(journal.version(), ShardId.of(ID), new PersistenceId(id))
                    .waiters()
                    .size());
    System.out.printf(
        Locale.ROOT,
        "%-12d %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f   %d, %d%n",
        length,
        apply,
        decide,
        event,
        ofState,
        write,
        read,
        without,
        with,
        all,
        stored.size(),
        entry.length);
  }

  @FunctionalInterface
  private interface Step {
    /** Returns a value that depends on the work, so that the work is done. */
    long run();
  }

  /** Processor time of this thread for each event, in microseconds. */
  private static double perEvent(Step step) {
    long sum = 0;
    double best = Double.MAX_VALUE;
    for (int round = 0; round < 3; round++) {
      long begin = now();
      int count = 0;
      while (count < 3 || now() - begin < LEAST_NANOS) {
        for (int i = 0; i < 3; i++) {
          sum += step.run();
        }
        count += 3;
      }
      best = Math.min(best, (now() - begin) / 1e3 / count);
    }
    if (sum == 42) {
      System.out.println();
    }
    return best;
  }

  /**
   * The first in the queue is granted the lock, one enters, one in the middle leaves, one enters.
   */
  private long turn() {
    state = state.apply(handOver());
    state = state.apply(new LockEvent.Queued(waiter(next++)));
    RequestId middle = state.waiters().get(state.waiters().size() / 2).request().id();
    state = state.apply(new LockEvent.Left(middle, LockCommand.LeaveCause.TIMED_OUT));
    state = state.apply(new LockEvent.Queued(waiter(next++)));
    return state.waiters().size();
  }

  /** A release, and a request to wait: decided, and applied. */
  private long decided() {
    Holder holder = state.holders().get(0);
    RequestHeader request = new RequestHeader(new RequestId.Once(ClientId.NAMELESS, 1), 1);
    long events = decide(new LockCommand.Release(request, holder.token(), /* all= */ true));
    Waiter waiter = waiter(next++);
    return events
        + decide(
            new LockCommand.Acquire(
                waiter.request(),
                waiter.id(),
                waiter.life(),
                waiter.waitTimeout(),
                /* reenter= */ false,
                Metadata.NONE));
  }

  private long decide(LockCommand command) {
    Batch batch =
        machine.decide(
            state,
            List.of(command),
            new DecisionContext(
                () -> Optional.of(new FencingToken(++token)),
                journal.revision(),
                lease -> journal.index() < 0,
                queue -> queue.on(List.of()),
                request -> Optional.empty(),
                request -> false,
                Limits.NONE));
    state = batch.after();
    return batch.events().size();
  }

  private LockEvent handOver() {
    return new LockEvent.HandedOver(
        state.holders().get(0).token(),
        io.holdfast.lock.rules.GrantEnding.RELEASED,
        granted(state.waiters().get(0)));
  }

  private Holder granted(Waiter waiter) {
    return new Holder(
        waiter.id(),
        waiter.request(),
        new FencingToken(++token),
        waiter.life(),
        /* count= */ 1,
        Metadata.NONE);
  }

  private static Bytes event(LockEvent one) {
    PersistedLockEvents event = new PersistedLockEvents(List.of(one));
    return Bytes.of(
        StoredEvent.newBuilder()
            .setSerializer(SERIALIZER.identifier())
            .setManifest(SERIALIZER.manifest(event))
            .setEvent(UnsafeByteOperations.unsafeWrap(SERIALIZER.toBinary(event)))
            .build()
            .toByteArray());
  }

  private Bytes stored() {
    return Bytes.of(
        StoredState.newBuilder()
            .setSerializer(SERIALIZER.identifier())
            .setManifest(SERIALIZER.manifest(state))
            .setState(UnsafeByteOperations.unsafeWrap(SERIALIZER.toBinary(state)))
            .build()
            .toByteArray());
  }

  private static byte[] entry(Append append) {
    return EntryCodec.encode((byte) 1, new EntryCodec.Entry(1, 1, List.of(append)));
  }

  /** Processor time of an append in the journal, in microseconds: without a state, and with one. */
  private double journal(Bytes stored, boolean withState) {
    List<Append> some = new ArrayList<>();
    double least = Double.MAX_VALUE;
    for (int round = 0; round < 40; round++) {
      some.clear();
      for (int i = 1; i < STATE_EVERY; i++) {
        some.add(append(true, withState ? stored : null));
      }
      long begin = now();
      some.forEach(this::apply);
      least = Math.min(least, (now() - begin) / 1e3 / some.size());
      append(stored);
    }
    return least;
  }

  private void append(Bytes stored) {
    apply(append(true, stored));
  }

  /** Of a lock whose first in the queue changes its lease, if they have different ones. */
  private Append append(boolean counts, @org.jspecify.annotations.Nullable Bytes stored) {
    boolean leaves = sequenceNr % 2 == 0;
    List<LeaseLife> first = leases.size() > 1 ? leases.subList(0, 1) : List.of();
    return append(counts, stored, leaves ? List.of() : first, leaves ? first : List.of());
  }

  private void attach(Bytes stored) {
    apply(append(true, stored, leases, List.of()));
  }

  private Append append(
      boolean counts,
      @org.jspecify.annotations.Nullable Bytes stored,
      List<LeaseLife> attach,
      List<LeaseLife> detach) {
    return new Append(
        new AppendId(ShardId.of(ID), new Epoch(1), counts ? ++number : number + 1),
        new PersistenceId("lock|long-" + ID),
        counts ? ++sequenceNr : sequenceNr + 1,
        event(handOver()),
        stored,
        new Draft(
            List.of(PublicChange.Set.of(Bytes.of(new byte[60]))),
            null,
            attach,
            detach,
            List.of(),
            List.of(),
            /* tombstone= */ false,
            0,
            Need.NOTHING,
            state.waiters().size()));
  }

  private Append begin(int session) {
    return new Append(
        new AppendId(ShardId.of(ID), new Epoch(1), ++number),
        new PersistenceId("lease|" + session),
        1,
        Bytes.of("begun"),
        Bytes.of("state"),
        new Draft(
            List.of(PublicChange.Set.of(Bytes.of("terms"))),
            new io.holdfast.journal.state.LeaseChange.Begins(new LeaseId(lease(session))),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            /* tombstone= */ false,
            0,
            Need.NOTHING,
            /* waiters= */ 0));
  }

  private void apply(Append append) {
    Verdict verdict =
        journal
            .apply(journal.index() + 1, List.of(append), shard -> new Epoch(1), new Effects())
            .get(0);
    if (!(verdict instanceof Verdict.Applied)) {
      throw new AssertionError(verdict);
    }
  }

  private Waiter waiter(int seat) {
    LeaseLife session = leases.get(seat % sessions);
    return new Waiter(
        new HolderId(ClientId.NAMELESS, session.id(), "seat-" + seat),
        new RequestHeader(
            new RequestId.Numbered(new ClientId("bench"), session, seat + 1),
            0x9E3779B97F4A7C15L * (seat + 1)),
        new Lifetime.Shared(session, new Ttl(30_000)),
        new WaitTimeout(WaitTimeout.MAX_MILLIS),
        Metadata.NONE,
        journal.revision().value());
  }

  private static long lease(int session) {
    return (0x9E3779B97F4A7C15L * (session + 1)) >>> 1;
  }

  /** Processor time of this thread, which other work on the machine does not change. */
  private static long now() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
