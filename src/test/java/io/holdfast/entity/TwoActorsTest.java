package io.holdfast.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.actor.typed.javadsl.Adapter;
import com.typesafe.config.ConfigFactory;
import io.holdfast.fixtures.Seeds;
import io.holdfast.fixtures.UsualSettings;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.ChangeFeed;
import io.holdfast.journal.JournalAccess;
import io.holdfast.journal.JournalStateMachine;
import io.holdfast.journal.LockHistoryReader;
import io.holdfast.journal.LockRecordReader;
import io.holdfast.journal.RaftJournalStore;
import io.holdfast.journal.UnreliableLog;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Change;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.keeper.DeadlineKeeper;
import io.holdfast.keeper.PermanentShard;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.rules.LockMachine;
import io.holdfast.wire.EntityIds;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.LockMessage;
import io.holdfast.wire.ShardMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Runs two actors of one lock at once: the second was created after a takeover of the shard, of
 * which the first has not heard. Their writes are lost, delayed and reordered, and commit at any
 * time (I9 OneWriter).
 */
class TwoActorsTest {

  private static final ShardId SHARD = ShardId.of(3);

  /** The number of requests of each kind in a run. */
  private static final int EACH = 7;

  private static final Duration WITHIN = Duration.ofSeconds(20);
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          ManualTime.config()
              .withFallback(ConfigFactory.parseString("akka.actor.provider = local"))
              .withFallback(ConfigFactory.load()));
  private static final AtomicInteger KEYS = new AtomicInteger();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @Test
  void two_live_actors_of_one_lock_never_both_acknowledge() {
    AtomicInteger both = new AtomicInteger();
    Seeds.each(
        150,
        random -> {
          if (new Life(random).live()) {
            both.incrementAndGet();
          }
        });
    assertTrue(both.get() > 0, () -> "lives in which both acknowledged something: " + both);
  }

  private static final class Life {

    private final SplittableRandom random;
    private final AtomicLong epoch = new AtomicLong(1);
    private final Queue<Runnable> pauses = new ConcurrentLinkedQueue<>();
    private final LockKey key = new LockKey("two-" + KEYS.incrementAndGet());
    private final String id = EntityIds.of(key).value();
    private final List<TestProbe<LockAnswer>> askedOfFirst = new ArrayList<>();
    private final List<TestProbe<LockAnswer>> askedOfSecond = new ArrayList<>();
    private final Grants grants = new Grants();
    private final UnreliableLog log;
    private final RaftJournalStore store;
    private int clients;
    private int releases;

    Life(SplittableRandom random) {
      this.random = random;
      JournalStateMachine machine =
          new JournalStateMachine(Bounds.DEFAULT, s -> new Epoch(epoch.get()), 1);
      machine.follow(grants);
      log = new UnreliableLog(random, machine);
      store = new RaftJournalStore(log, machine, 1024, /* many= */ 1, pauses::add);
      JournalAccess.get(Adapter.toClassic(KIT.system())).open(store, name -> SHARD);
    }

    /** True if both actors acknowledged something. */
    boolean live() {
      ActorRef<ShardMessage> first = start(1);
      int takenOver = random.nextInt(4, 30);
      int answered = random.nextInt(3) == 0 ? random.nextInt(takenOver) : -1;
      for (int i = 0; i < takenOver; i++) {
        step(first, askedOfFirst);
        if (i == answered) {
          settle(first); // on a busy machine, too
        }
      }
      epoch.set(2); // with writes in flight
      ActorRef<ShardMessage> second = start(2);
      for (int i = 0; i < 30; i++) {
        if (random.nextBoolean()) {
          step(first, askedOfFirst);
        } else {
          step(second, askedOfSecond);
        }
      }
      settle(second);
      // Behind all writes of the two: the plugin answers them first.
      KIT.stop(first);
      KIT.stop(second);
      ActorRef<ShardMessage> heir = start(2);
      settle(heir);
      KIT.stop(heir);
      Set<Long> acknowledgedByFirst = acknowledged(askedOfFirst);
      Set<Long> acknowledgedBySecond = acknowledged(askedOfSecond);
      Set<Long> granted = grants.tokens;
      assertTrue(
          granted.containsAll(acknowledgedByFirst),
          () -> "the old actor acknowledged " + acknowledgedByFirst + ", there are " + granted);
      assertTrue(
          granted.containsAll(acknowledgedBySecond),
          () -> "the new actor acknowledged " + acknowledgedBySecond + ", there are " + granted);
      return !acknowledgedByFirst.isEmpty() && !acknowledgedBySecond.isEmpty();
    }

    private void step(ActorRef<ShardMessage> actor, List<TestProbe<LockAnswer>> asked) {
      if (random.nextInt(4) == 0 && clients < EACH) {
        TestProbe<LockAnswer> probe = KIT.createTestProbe(LockAnswer.class);
        asked.add(probe);
        String name = "client-" + ++clients;
        actor.tell(
            new LockMessage.Handle(
                EntityWorld.acquire(name, 60_000, 60_000), 0, 0, false, probe.getRef()));
      } else if (random.nextInt(4) == 0 && releases++ < EACH) {
        // Ends the current grant by the log: the token of a known grant may be stale.
        lastGranted()
            .ifPresent(
                token ->
                    actor.tell(
                        new LockMessage.Handle(
                            EntityWorld.release("of " + token, token),
                            0,
                            0,
                            false,
                            KIT.system().ignoreRef())));
      } else {
        goOn(true);
      }
    }

    private void goOn(boolean troubled) {
      Runnable pause = random.nextInt(3) == 0 ? pauses.poll() : null;
      if (pause != null) {
        pause.run();
      } else {
        log.step(troubled);
      }
    }

    /** Lets everything come to its end, so that this actor has an answer. */
    private void settle(ActorRef<ShardMessage> actor) {
      TestProbe<LockAnswer> reader = KIT.createTestProbe(LockAnswer.class);
      actor.tell(
          new LockMessage.Handle(
              EntityWorld.release("none", new FencingToken(999_999)),
              0,
              0,
              false,
              reader.getRef()));
      long end = System.nanoTime() + WITHIN.toNanos();
      boolean read = false;
      while (!read || !log.isQuiet() || !pauses.isEmpty()) {
        String state =
            "read %s, log quiet %s, pauses %d, settled %s"
                .formatted(read, log.isQuiet(), pauses.size(), store.settled(SHARD));
        assertTrue(System.nanoTime() - end < 0, () -> "it never comes to rest: " + state);
        goOn(false);
        Runnable pause = pauses.poll();
        if (pause != null) {
          pause.run();
        }
        read = read || hasMessage(reader);
      }
    }

    private static boolean hasMessage(TestProbe<LockAnswer> probe) {
      try {
        probe.receiveMessage(Duration.ofMillis(2));
        return true;
      } catch (AssertionError nothing) {
        return false;
      }
    }

    private static Set<Long> acknowledged(List<TestProbe<LockAnswer>> asked) {
      Set<Long> tokens = new HashSet<>();
      for (TestProbe<LockAnswer> probe : asked) {
        try {
          if (probe.receiveMessage(Duration.ofMillis(1)).outcome()
              instanceof Outcome.Acquired acquired) {
            tokens.add(acquired.token().value());
          }
        } catch (AssertionError nothing) {
          // never answered
        }
      }
      return tokens;
    }

    private Optional<FencingToken> lastGranted() {
      return LockHistoryReader.read(store.version(), SHARD, new PersistenceId(id))
          .holder()
          .map(Holder::token);
    }

    private ActorRef<ShardMessage> start(long epoch) {
      return KIT.spawn(
          ShardEntity.lock(
              new LockLogic.Terms(
                  key,
                  new PermanentShard(SHARD, new Epoch(epoch), new AtomicLong(epoch * 1_000)),
                  new DeadlineKeeper(() -> true, System::nanoTime),
                  store,
                  new LockMachine(/* maxWaiters= */ 20),
                  UsualSettings.locks()),
              () -> {}));
    }
  }

  /** Follows the holders of the lock by its public changes; throws if a change is impossible. */
  private static final class Grants implements ChangeFeed.Follower {

    private final Set<Long> tokens = new HashSet<>();
    private List<Long> held = List.of();
    private long highest;

    @Override
    public void changed(List<Change> changes, Revision revision) {
      for (Change change : changes) {
        assertEquals(held, holders(change.before()), () -> "before " + change);
        held = holders(change.after());
        for (long token : held) {
          assertTrue(token >= highest, () -> "I2 TokenMonotonic: " + highest + ", " + change);
          highest = token;
          tokens.add(token);
        }
      }
    }

    @Override
    public void restored(Revision revision) {
      throw new AssertionError("nothing was restored");
    }

    private static List<Long> holders(@Nullable PublicRecord record) {
      return record == null
          ? List.of()
          : LockRecordReader.holders(record).stream()
              .map(holder -> holder.token().value())
              .toList();
    }
  }
}
