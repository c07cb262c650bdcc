package io.holdfast.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.Bounds;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.JournalVersion;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class RaftJournalStoreTest {

  private static final Bounds BOUNDS = new Bounds(10_000, 1024, 16, 16, 16);

  /** One node's store over an unreliable log, and the pauses that wait to end. */
  private static final class World {
    final SplittableRandom random;
    final List<Runnable> pauses = new ArrayList<>();
    final UnreliableLog log;
    final RaftJournalStore store;
    long[] epochs = new long[4];

    World(SplittableRandom random, int maxOpen) {
      this(random, maxOpen, /* many= */ 1);
    }

    World(SplittableRandom random, int maxOpen, int many) {
      this.random = random;
      java.util.Arrays.fill(epochs, 1);
      JournalStateMachine machine =
          new JournalStateMachine(BOUNDS, shard -> new Epoch(epochs[shard.value()]), 77);
      log = new UnreliableLog(random, machine);
      store = new RaftJournalStore(log, machine, maxOpen, many, pauses::add);
    }

    CompletableFuture<Verdict> append(int shard, long epoch, String id, long sequenceNr) {
      return store
          .append(
              ShardId.of(shard),
              new Epoch(epoch),
              appendId ->
                  new Append(
                      appendId,
                      new PersistenceId(id),
                      sequenceNr,
                      Bytes.of(id + "-" + sequenceNr + "@" + epoch),
                      null,
                      Draft.NONE))
          .toCompletableFuture();
    }

    /** The first append of an id, with a state and a record of so many bytes. */
    CompletableFuture<Verdict> appendLarge(String id, int stateBytes, int recordBytes) {
      return store
          .append(
              ShardId.of(0),
              new Epoch(1),
              appendId ->
                  new Append(
                      appendId,
                      new PersistenceId(id),
                      1,
                      Bytes.of(new byte[Append.MAX_BYTES]),
                      Bytes.of(new byte[stateBytes]),
                      Draft.showing(PublicChange.Set.of(Bytes.of(new byte[recordBytes])))))
          .toCompletableFuture();
    }

    void begin(int shard, long epoch, String id, long sequenceNr) {
      var unused = append(shard, epoch, id, sequenceNr);
    }

    void step(boolean troubled) {
      if (!pauses.isEmpty() && random.nextInt(3) == 0) {
        pauses.remove(random.nextInt(pauses.size())).run();
      } else {
        log.step(troubled);
      }
    }

    void settle() {
      for (int i = 0; !(log.isQuiet() && pauses.isEmpty()); i++) {
        assertTrue(i < 100_000, "it never comes to rest");
        step(false);
      }
    }

    List<String> events(int shard, String id) {
      return store.version().replay(ShardId.of(shard), new PersistenceId(id), 1).events().stream()
          .map(Bytes::text)
          .toList();
    }
  }

  @Test
  void an_append_that_no_entry_can_hold_is_refused_alone() {
    World world = new World(new SplittableRandom(1), 1024);
    var before = world.append(0, 1, "a", 1);
    var tooLarge = world.appendLarge("b", Append.MAX_STATE_BYTES, Append.MAX_BYTES);
    var after = world.append(0, 1, "c", 1);
    world.settle();
    assertTrue(tooLarge.isCompletedExceptionally());
    assertInstanceOf(Verdict.Applied.class, before.getNow(null));
    assertInstanceOf(Verdict.Applied.class, after.getNow(null));
  }

  @Test
  void many_large_writes_of_one_shard_go_in_several_entries() {
    World world = new World(new SplittableRandom(1), 1024);
    List<CompletableFuture<Verdict>> all = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      all.add(world.appendLarge("id" + i, 300_000, 300_000));
    }
    world.settle();
    all.forEach(each -> assertInstanceOf(Verdict.Applied.class, each.getNow(null)));
    int longest = world.log.longestEntry();
    assertTrue(longest < 4 << 20, () -> "an entry of " + longest + " bytes");
  }

  @Test
  void every_append_gets_one_verdict_over_an_unreliable_log() {
    Seeds.each(
        500,
        random -> {
          World world = new World(random, 1024);
          List<CompletableFuture<Verdict>> all = new ArrayList<>();
          long[] last = new long[6];
          for (int i = 0; i < 150; i++) {
            if (random.nextInt(3) > 0) {
              int id = random.nextInt(last.length);
              all.add(world.append(id % 2, 1, "id" + id, ++last[id]));
            } else {
              world.step(true);
            }
          }
          world.settle();
          for (CompletableFuture<Verdict> each : all) {
            assertInstanceOf(Verdict.Applied.class, each.getNow(null), each::toString);
          }
          for (int id = 0; id < last.length; id++) {
            List<String> expected = new ArrayList<>();
            for (long number = 1; number <= last[id]; number++) {
              expected.add("id" + id + "-" + number + "@1");
            }
            assertEquals(expected, world.events(id % 2, "id" + id));
          }
        });
  }

  @Test
  void of_two_writers_that_of_the_earlier_epoch_is_fenced() {
    Seeds.each(
        1_000,
        random -> {
          World world = new World(random, 1024);
          Map<String, CompletableFuture<Verdict>> written = new HashMap<>();
          int takenOver = random.nextInt(60);
          long old = 0;
          for (int i = 0; i < 120; i++) {
            if (i == takenOver) {
              world.epochs[0] = 2;
            }
            int dice = random.nextInt(3);
            if (dice == 0) {
              old++;
              written.put("id-" + old + "@1", world.append(0, 1, "id", old));
            } else if (dice == 1 && i >= takenOver) {
              long next =
                  world
                          .store
                          .version()
                          .highestSequenceNr(ShardId.of(0), new PersistenceId("id"))
                          .orElse(0)
                      + 1;
              if (!written.containsKey("id-" + next + "@2")) {
                written.put("id-" + next + "@2", world.append(0, 2, "id", next));
              }
            } else {
              world.step(true);
            }
          }
          world.settle();
          List<String> events = world.events(0, "id");
          for (int i = 0; i < events.size(); i++) {
            assertTrue(events.get(i).startsWith("id-" + (i + 1) + "@"), events::toString);
          }
          written.forEach(
              (event, answer) -> {
                Verdict verdict = answer.getNow(null);
                if (verdict instanceof Verdict.Applied) {
                  assertTrue(events.contains(event), () -> event + " was acknowledged: " + events);
                } else if (!(verdict instanceof Verdict.Fenced)) {
                  // certainly refused; if it is fenced, an earlier copy may have been applied
                  assertInstanceOf(Verdict.WrongSequence.class, verdict);
                  assertFalse(events.contains(event), () -> event + " was refused: " + events);
                }
              });
        });
  }

  @Test
  void appends_that_come_meanwhile_go_into_one_entry() {
    World world = new World(new SplittableRandom(1), 1024);
    for (int i = 1; i <= 100; i++) {
      world.begin(0, 1, "id", i);
    }
    world.settle();
    assertEquals(100, world.events(0, "id").size());
    assertTrue(
        world.store.version().index() <= 5, () -> "entries " + world.store.version().index());
  }

  @Test
  void a_read_waits_for_all_appends_of_this_node() {
    World world = new World(new SplittableRandom(1), 1024);
    world.begin(0, 1, "id", 1);
    CompletableFuture<JournalVersion> settled =
        world.store.settled(ShardId.of(0)).toCompletableFuture();
    CompletableFuture<JournalVersion> other =
        world.store.settled(ShardId.of(1)).toCompletableFuture();
    assertFalse(settled.isDone());
    assertTrue(other.isDone());
    world.settle();
    assertEquals(
        1, settled.join().highestSequenceNr(ShardId.of(0), new PersistenceId("id")).orElse(0));
  }

  @Test
  void appends_beyond_the_kept_verdicts_are_refused() {
    World world = new World(new SplittableRandom(1), 3);
    for (int i = 1; i <= 3; i++) {
      world.begin(0, 1, "id", i);
    }
    CompletableFuture<Verdict> full = world.append(0, 1, "id", 4);
    assertTrue(full.isCompletedExceptionally());
    assertFalse(world.append(1, 1, "other", 1).isCompletedExceptionally());
    world.settle();
    assertFalse(world.append(0, 1, "id", 4).isCompletedExceptionally());
  }

  @Test
  void all_appends_of_an_entry_are_answered_in_one_task() {
    World world = new World(new SplittableRandom(1), 1024, 64);
    List<Runnable> tasks = new ArrayList<>();
    world.store.answerOn(tasks::add);
    List<CompletableFuture<Verdict>> all = new ArrayList<>();
    for (int i = 1; i <= 10; i++) {
      all.add(world.append(0, 1, "id", i)); // one alone, then nine that come meanwhile
    }
    world.settle();
    assertEquals(2, tasks.size());
    assertTrue(all.stream().noneMatch(CompletableFuture::isDone));
    tasks.forEach(Runnable::run);
    for (CompletableFuture<Verdict> each : all) {
      assertInstanceOf(Verdict.Applied.class, each.getNow(null), each::toString);
    }
  }

  @Test
  void many_appends_do_not_wait_for_the_entry_in_flight() {
    World world = new World(new SplittableRandom(1), 1024, 64);
    List<Runnable> tasks = new ArrayList<>();
    world.store.answerOn(tasks::add);
    for (int i = 1; i <= 130; i++) {
      var unused = world.append(0, 1, "id", i);
    }
    world.settle();
    assertEquals(4, tasks.size(), "1 alone, twice 64, and 1 that came after");
  }

  @Test
  void appends_are_answered_when_the_executor_has_stopped() {
    World world = new World(new SplittableRandom(1), 1024);
    world.store.answerOn(
        task -> {
          throw new RejectedExecutionException();
        });
    CompletableFuture<Verdict> append = world.append(0, 1, "id", 1);
    world.settle();
    assertInstanceOf(Verdict.Applied.class, append.getNow(null), append::toString);
  }
}
