package io.holdfast.entity;

import static io.holdfast.fixtures.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.hosting.HostedLocks;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.InMemoryJournalStore;
import io.holdfast.journal.JournalStore;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Fences;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.Verdict;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCommand;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Refusal;
import io.holdfast.sharding.LockShards;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests locks and leases while the whole state is full. */
@Tag("slow")
class FullStateTest {

  private static final LockKey FREE = new LockKey("free");
  private static final LockKey HELD = new LockKey("held");

  /** A store whose limit may fall between a decision and its append. */
  private static final class Squeezed implements JournalStore {

    final AtomicLong max = new AtomicLong(Long.MAX_VALUE);
    final AtomicInteger refused = new AtomicInteger();
    volatile boolean squeezes;
    private final InMemoryJournalStore store =
        new InMemoryJournalStore(
            Bounds.DEFAULT,
            new Fences() {
              @Override
              public Epoch epochOf(ShardId shard) {
                return new Epoch(1);
              }

              @Override
              public long maxSize() {
                return max.get();
              }
            });

    @Override
    public CompletionStage<Verdict> append(
        ShardId shard, Epoch epoch, Function<AppendId, Append> append) {
      if (squeezes) {
        max.set(1);
      }
      return store
          .append(shard, epoch, append)
          .thenApply(
              verdict -> {
                refused.addAndGet(verdict instanceof Verdict.StateFull ? 1 : 0);
                return verdict;
              });
    }

    @Override
    public JournalVersion version() {
      return store.version();
    }

    @Override
    public CompletionStage<JournalVersion> confirmed() {
      return store.confirmed();
    }

    @Override
    public CompletionStage<JournalVersion> settled(ShardId shard) {
      return store.settled(shard);
    }
  }

  private final Squeezed store = new Squeezed();
  private final HostedLocks node = HostedLocks.start("", store, system -> {});
  private final LockShards locks = node.locks();

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void a_command_refused_by_the_log_is_answered_and_the_lock_lives() throws Exception {
    FencingToken token = acquire(HELD, "anna");
    store.squeezes = true;
    assertFull(ask(FREE, EntityWorld.acquire("bert", 60_000, 0)));
    assertEquals(1, store.refused.get(), "by the log; then by its actor, which looks first");
    assertFull(ask(FREE, EntityWorld.acquire("carl", 60_000, 0)));
    assertFull(ask(HELD, EntityWorld.acquire("bert", 60_000, 60_000)));
    assertEquals(1, store.refused.get());
    assertInstanceOf(
        Outcome.Released.class, ask(HELD, EntityWorld.release("anna is done", token)).outcome());
    store.squeezes = false;
    store.max.set(Long.MAX_VALUE);
    assertTrue(acquire(FREE, "dora").value() > token.value());
    acquire(HELD, "emil");
  }

  @Test
  void a_release_in_a_batch_with_a_refused_grant_succeeds() throws Exception {
    FencingToken token = acquire(HELD, "anna");
    store.squeezes = true;
    var release = locks.handle(HELD, EntityWorld.release("anna is done", token));
    var grant = locks.handle(HELD, EntityWorld.acquire("bert", 60_000, 0));
    assertInstanceOf(Outcome.Released.class, answer(release).outcome());
    assertFull(answer(grant));
  }

  @Test
  void a_silent_grant_ages_and_ends_in_a_full_state() throws Exception {
    assertInstanceOf(
        Outcome.Acquired.class, ask(HELD, EntityWorld.acquire("anna", 600, 0)).outcome());
    store.squeezes = true;
    store.max.set(1);
    ShardId shard = LockShards.shardOf(HostedLocks.SHARDS).apply(EntityIds.of(HELD));
    eventually(
        "the end",
        Duration.ofSeconds(10),
        () -> store.version().record(shard, EntityIds.of(HELD)),
        Optional::isEmpty);
    assertEquals(0, store.refused.get());
  }

  @Test
  void outcomes_of_counted_releases_stay_within_the_reserve() throws Exception {
    FencingToken token = acquire(HELD, "anna");
    for (int i = 0; i < 60; i++) {
      LockCommand.Acquire again = EntityWorld.acquire("anna", 60_000, 0);
      assertInstanceOf(
          Outcome.Acquired.class,
          ask(
                  HELD,
                  new LockCommand.Acquire(
                      EntityWorld.request("in " + i),
                      again.holder(),
                      again.life(),
                      again.waitTimeout(),
                      /* reenter= */ true,
                      again.metadata()))
              .outcome());
    }
    store.max.set(store.version().fullness().footprint().size());
    int refused = 0;
    for (int i = 0; i < 60; i++) {
      Outcome outcome =
          ask(HELD, EntityWorld.release("out of it once more, in a long name " + i, token))
              .outcome();
      refused += outcome instanceof Outcome.Refused ? 1 : 0;
    }
    long size = store.version().fullness().footprint().size();
    assertTrue(
        size <= Need.withReserve(store.max.get()) + 500,
        "[%d] of [%d], [%d] refused".formatted(size, store.max.get(), refused));
    assertInstanceOf(
        Outcome.Released.class,
        ask(HELD, new LockCommand.Release(EntityWorld.request("all"), token, /* all= */ true))
            .outcome());
  }

  @Test
  void a_new_lease_is_refused_and_a_living_one_can_end() throws Exception {
    LeaseTerms terms = LeaseTerms.of(60_000, ClientId.NAMELESS, /* session= */ false);
    assertInstanceOf(
        LeaseOutcome.Granted.class,
        lease(7, new LeaseCommand.Grant(EntityWorld.request("l7"), terms)));
    store.squeezes = true;
    assertEquals(
        new LeaseOutcome.Refused(LeaseOutcome.Reason.STATE_FULL),
        lease(8, new LeaseCommand.Grant(EntityWorld.request("l8"), terms)));
    assertInstanceOf(
        LeaseOutcome.Ended.class,
        lease(
            7,
            new LeaseCommand.Revoke(EntityWorld.request("r7"), /* incarnation= */ Revision.NONE)));
  }

  private static void assertFull(LockAnswer answer) {
    assertEquals(
        new Outcome.Refused(new Refusal.LimitReached(Refusal.Limit.STATE, 1)), answer.outcome());
  }

  private FencingToken acquire(LockKey key, String name) throws Exception {
    return assertInstanceOf(
            Outcome.Acquired.class, ask(key, EntityWorld.acquire(name, 60_000, 0)).outcome())
        .token();
  }

  private LockAnswer ask(LockKey key, LockCommand command) throws Exception {
    return answer(locks.handle(key, command));
  }

  private LeaseOutcome lease(long id, LeaseCommand command) throws Exception {
    return locks
        .handle(new LeaseId(id), command)
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS)
        .outcome();
  }

  private static LockAnswer answer(CompletionStage<LockAnswer> asked) throws Exception {
    return asked.toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
