package io.holdfast.entity;

import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.FencedEvent;
import io.holdfast.journal.InMemoryJournalStore;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.TestAppends;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Verdict;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ReplyTo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The real logic of one lock over a journal in memory, without an actor: each write is applied. */
final class QueuedLock implements OwnedShard {

  static final ShardId SHARD = ShardId.of(3);
  static final PersistenceId ID = EntityIds.of(new LockKey("lock"));
  static final Epoch EPOCH = new Epoch(1);
  private static final ClientId CLIENT = new ClientId("some-client");
  private static final int TOGETHER = 64;

  final JournalStore store;
  final List<LockAnswer> answers = new ArrayList<>();
  private final LockKey key;
  private final PersistenceId id;
  private final DeadlineKeeper keeper;
  private final int maxWaiters;
  private LockLogic logic;
  private LockState state = LockState.FREE;
  private long sequenceNr;
  private long tokens;
  private long seats;
  private long releases;
  private long writtenBytes;
  private int lastBytes;
  private long lastCountedBytes;
  private int lastEvents;
  private int states;

  QueuedLock(int maxWaiters) {
    this(maxWaiters, new InMemoryJournalStore(Bounds.DEFAULT, shard -> EPOCH));
  }

  QueuedLock(int maxWaiters, JournalStore store) {
    this(maxWaiters, store, keeper(), "lock");
  }

  /** One of several locks of a shard. */
  QueuedLock(int maxWaiters, JournalStore store, DeadlineKeeper keeper, String key) {
    this.maxWaiters = maxWaiters;
    this.store = store;
    this.keeper = keeper;
    this.key = new LockKey(key);
    id = EntityIds.of(this.key);
    logic = restarted();
  }

  /** A keeper that knows no lock yet. */
  static DeadlineKeeper keeper() {
    DeadlineKeeper keeper = new DeadlineKeeper(() -> true, () -> 1);
    keeper.complete();
    return keeper;
  }

  /** Another actor, which reads the journal. */
  void restart() {
    logic = restarted();
  }

  private LockLogic restarted() {
    LockLogic.Terms terms =
        new LockLogic.Terms(
            key, this, keeper, store, new LockMachine(maxWaiters), UsualSettings.locks());
    LockLogic made = new LockLogic(terms, new CommandBatcher(TOGETHER, () -> {}), () -> {});
    state = read();
    made.recovered(state);
    return made;
  }

  /** The state that a recovery finds. */
  LockState read() {
    return LockHistoryReader.read(store.version(), SHARD, id);
  }

  LockState state() {
    return state;
  }

  /** The bytes of all writes so far, in the log. */
  long writtenBytes() {
    return writtenBytes;
  }

  int lastBytes() {
    return lastBytes;
  }

  /** The bytes of the last write, as the store counts them. */
  long lastCountedBytes() {
    return lastCountedBytes;
  }

  /** The events of the last write. */
  int lastEvents() {
    return lastEvents;
  }

  /** The number of writes so far. */
  long writes() {
    return sequenceNr;
  }

  /** The writes with a state. */
  int states() {
    return states;
  }

  LeaseLife lease(long id) {
    LeaseId lease = new LeaseId(id);
    lease(lease, PublicChange.Set.of(Bytes.of("terms")), new LeaseChange.Begins(lease));
    return store.version().lease(lease).orElseThrow();
  }

  void end(LeaseLife lease) {
    PublicChange gone = new PublicChange.Absent(Bytes.EMPTY);
    lease(lease.id(), gone, new LeaseChange.Ends(lease));
  }

  private void lease(LeaseId id, PublicChange change, LeaseChange leaseChange) {
    PersistenceId name = EntityIds.ofLease(id);
    boolean ends = leaseChange instanceof LeaseChange.Ends;
    apply(
        appendId ->
            new Append(
                appendId,
                name,
                ends ? 2 : 1,
                Bytes.EMPTY,
                null,
                new Draft(
                    List.of(change),
                    leaseChange,
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of(),
                    /* tombstone= */ ends,
                    /* forgetBefore= */ 0,
                    Need.NOTHING,
                    /* waiters= */ 0)));
  }

  /** Requests of this life, each to wait. */
  void enter(List<Lifetime> lives) {
    for (int i = 0; i < lives.size(); i += TOGETHER) {
      tell(
          lives.subList(i, Math.min(i + TOGETHER, lives.size())).stream()
              .map(this::acquire)
              .toList());
    }
  }

  /** Hands the lock over, and has another one enter with the same write. */
  void next(Lifetime life) {
    tell(List.of(release(), acquire(life)));
  }

  LockCommand acquire(Lifetime life) {
    long seat = ++seats;
    return new LockCommand.Acquire(
        new RequestHeader(new RequestId.Once(CLIENT, seat), seat),
        HolderId.of(CLIENT, "seat-" + (100_000 + seat)),
        life,
        new WaitTimeout(60_000),
        /* reenter= */ false,
        Metadata.NONE);
  }

  LockCommand release() {
    long number = ++releases;
    RequestHeader request = new RequestHeader(new RequestId.Once(CLIENT, -number), 1);
    return new LockCommand.Release(request, state.holder().orElseThrow().token(), /* all= */ true);
  }

  static Lifetime on(LeaseLife lease) {
    return new Lifetime.Shared(lease, new Ttl(30_000));
  }

  void tell(List<LockCommand> commands) {
    List<LockMessage> messages = new ArrayList<>();
    commands.forEach(
        command ->
            messages.add(
                new LockMessage.Handle(command, 0, 0, false, new ReplyTo<>(answers::add))));
    on(new LockMessage.CommandBatch(messages));
  }

  /** Removes all whose lease has ended, as its keeper asks for. */
  void removeOrphans() {
    on(new LockMessage.Due(new LockCommand.RemoveOrphans(), EPOCH));
  }

  private void on(LockMessage message) {
    Reaction<LockState> reaction = logic.on(state, sequenceNr, message);
    FencedEvent<LockState> write = reaction.write();
    if (write != null) {
      TestAppends.applied(
          write,
          apply(appendId -> counted(TestAppends.written(appendId, id, sequenceNr + 1, write))));
      lastEvents = TestAppends.events(write);
      sequenceNr++;
      state = write.after(state);
      reaction.then().run();
    }
  }

  private Append counted(Append append) {
    lastBytes = TestAppends.entryBytes(append);
    lastCountedBytes = TestAppends.countedBytes(append);
    writtenBytes += lastBytes;
    states += append.state() == null ? 0 : 1;
    return append;
  }

  private Verdict.Applied apply(Function<AppendId, Append> append) {
    Verdict verdict =
        store
            .append(SHARD, EPOCH, append)
            .toCompletableFuture()
            .orTimeout(30, TimeUnit.SECONDS)
            .join();
    if (verdict instanceof Verdict.Applied applied) {
      return applied;
    }
    throw new AssertionError(verdict);
  }

  @Override
  public ShardId shard() {
    return SHARD;
  }

  @Override
  public Epoch epoch() {
    return EPOCH;
  }

  @Override
  public boolean isSure() {
    return true;
  }

  @Override
  public Duration doubt() {
    return Duration.ZERO;
  }

  @Override
  public Optional<FencingToken> nextToken() {
    return Optional.of(new FencingToken(++tokens));
  }
}
