package io.holdfast.journal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.bytes.Bytes;
import io.holdfast.fixtures.Seeds;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random appends, valid and invalid, compared with a naive model. */
class JournalModelTest {

  private static final int SHARDS = 3;
  private static final int IDS = 6;
  private static final int LEASES = 3;

  private record Ended(long index, LeaseLife lease) {}

  private record Version(JournalVersion version, NaiveJournal model, long digest) {}

  @Test
  void random_appends_give_the_content_of_the_naive_journal() {
    Seeds.each(150, seed -> new Life(seed).live());
  }

  /** One journal, one model, and appends that arrive late, twice, or never. */
  private static final class Life {

    private final SplittableRandom random;
    private final Bounds bounds;
    private final NaiveJournal model;
    private final Map<ShardId, Epoch> fences = new HashMap<>();
    private final Map<ShardId, Long> numbers = new HashMap<>();
    private final List<Ended> ends = new ArrayList<>();
    private long readBackAt;
    private final Set<LeaseLife> everAlive = new LinkedHashSet<>();
    private final Effects effects = new Effects();
    private final List<List<Append>> sent = new ArrayList<>();
    private final List<Version> versions = new ArrayList<>();
    private JournalState journal;

    /** Another member, which was never read back from a snapshot. */
    private final JournalState twin;

    Life(SplittableRandom random) {
      this.random = random;
      this.bounds =
          new Bounds(
              random.nextInt(1, random.nextBoolean() ? 6 : 40),
              random.nextInt(1, 12),
              random.nextInt(1, 5),
              random.nextInt(1, 8),
              random.nextInt(1, 4));
      this.model = new NaiveJournal(bounds);
      this.journal = new JournalState(bounds, 0);
      this.twin = new JournalState(bounds, 0);
    }

    void live() {
      int steps = random.nextInt(50, 400);
      for (int i = 0; i < steps; i++) {
        step();
        if (random.nextInt(20) == 0) {
          versions.add(new Version(journal.version(), model.copy(), journal.version().digest()));
        }
        if (random.nextInt(40) == 0) {
          long digest = journal.version().digest();
          journal = SnapshotCopy.readBack(journal.version(), bounds);
          assertEquals(digest, journal.version().digest());
          readBackAt = journal.index();
        }
      }
      versions.add(new Version(journal.version(), model, journal.version().digest()));
      versions.forEach(this::compare);
      assertEquals(twin.version().digest(), journal.version().digest());
      assertEquals(
          SnapshotCopy.readBack(journal.version(), bounds).footprint(),
          journal.footprint(),
          "anew");
    }

    private void step() {
      numbers.clear();
      int kind = random.nextInt(20);
      if (kind == 0) {
        fences.merge(shard(), new Epoch(1), (old, one) -> new Epoch(old.value() + 1));
      } else if (kind < 6 && !sent.isEmpty()) {
        apply(sent.get(random.nextInt(sent.size()))); // a duplicate, however old
      } else {
        List<Append> batch = new ArrayList<>();
        int size = random.nextInt(1, 5);
        for (int i = 0; i < size; i++) {
          batch.add(append());
        }
        sent.add(batch);
        if (random.nextInt(10) > 0) {
          apply(batch);
        }
      }
    }

    private void apply(List<Append> batch) {
      List<Verdict> verdicts = apply(journal, batch, effects);
      assertEquals(apply(twin, batch, new Effects()), verdicts);
      List<Verdict> expected = new ArrayList<>();
      batch.forEach(append -> expected.add(model.append(append, fences)));
      assertEquals(expected, verdicts);
      assertEquals(model.revision(), journal.revision());
      assertEquals(twin.footprint(), journal.footprint(), "a member that was read back");
      assertEquals(model.takeChanges(), effects.changes());
      List<LeaseEnd> ended = model.takeLeaseEnds();
      assertEquals(ended, effects.leaseEnds());
      ended.forEach(end -> ends.add(0, new Ended(journal.index(), end.lease())));
      compareEnds();
      effects.clear();
      everAlive.addAll(model.alive());
    }

    private void compareEnds() {
      long after = random.nextInt((int) journal.index() + 1);
      List<LeaseLife> since =
          ends.stream().filter(end -> end.index() > after).map(Ended::lease).toList();
      assertEquals(Optional.of(since), twin.version().endedSince(after, since.size()));
      Optional<List<LeaseLife>> known = journal.version().endedSince(after, since.size());
      assertEquals(after < readBackAt ? Optional.empty() : Optional.of(since), known);
      assertEquals(
          since.isEmpty(),
          twin.version().endedSince(after, Math.max(0, since.size() - 1)).isPresent());
    }

    private List<Verdict> apply(JournalState member, List<Append> batch, Effects effects) {
      return member.apply(
          member.index() + 1, batch, shard -> fences.getOrDefault(shard, Epoch.NONE), effects);
    }

    private Append append() {
      AppendId appendId = appendId();
      String id = id();
      NaiveId known = model.id(appendId.shard(), id);
      long next = known == null ? 1 : known.highest + 1;
      long sequenceNr = random.nextInt(8) == 0 ? random.nextInt(1, 10) : next;
      AppendBuilder draft = AppendBuilder.of(appendId, id, sequenceNr, "event " + event());
      draft.waiters(random.nextInt(3)).needs(random.nextBoolean() ? Need.ROOM : Need.RESERVE);
      if (random.nextInt(4) == 0) {
        draft.forgetBefore(random.nextInt(30));
      }
      for (int i = random.nextInt(3); i > 0 && random.nextInt(3) == 0; i--) {
        draft.answers(request(i), "o" + appendId.number());
      }
      if (random.nextInt(6) == 0) {
        draft.whileAlive(lease());
      }
      if (random.nextInt(6) == 0) {
        return changesLease(draft);
      }
      for (int i = random.nextInt(4); i > 1; i--) {
        show(draft);
      }
      if (random.nextInt(8) == 0) {
        return draft.tombstone().done();
      }
      if (random.nextInt(3) == 0) {
        draft.state("s".repeat(random.nextInt(random.nextInt(10) == 0 ? 9000 : 50)));
      }
      show(draft);
      if (random.nextInt(2) == 0) {
        Set<LeaseLife> some = new HashSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
          some.add(lease());
        }
        draft.attaches(List.copyOf(some));
      }
      if (known != null && random.nextInt(2) == 0) {
        draft.detaches(known.leases.stream().filter(lease -> random.nextInt(3) > 0).toList());
      } else if (random.nextInt(6) == 0) {
        draft.detaches(lease());
      }
      return draft.done();
    }

    private String event() {
      String event = Integer.toString(random.nextInt(1000));
      return random.nextInt(6) == 0 ? event.repeat(random.nextInt(1_500)) : event;
    }

    private Append changesLease(AppendBuilder draft) {
      if (random.nextInt(5) < 3) {
        return draft.shows("lease").begins(1 + random.nextInt(LEASES)).done();
      }
      draft.ends(lease());
      return random.nextBoolean() ? draft.tombstone().done() : draft.done();
    }

    private void show(AppendBuilder draft) {
      if (random.nextInt(2) == 0) {
        List<Part> parts = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
          Bytes content = Bytes.of("part " + random.nextInt(1000));
          parts.add(new Part(content, random.nextInt(3) == 0 ? null : lease()));
        }
        draft.shows(parts.toArray(Part[]::new));
      } else if (random.nextInt(4) == 0) {
        draft.showsNothing();
      }
    }

    private AppendId appendId() {
      ShardId shard = shard();
      long fence = fences.getOrDefault(shard, Epoch.NONE).value();
      Epoch epoch = new Epoch(Math.max(1, random.nextInt(15) == 0 ? fence - 1 : fence));
      long inBatch = numbers.merge(shard, 1L, Long::sum) - 1;
      long skew = random.nextInt(30) == 0 ? random.nextInt(-3, 3) : 0;
      return new AppendId(shard, epoch, Math.max(1, model.next(shard, epoch) + inBatch + skew));
    }

    private ShardId shard() {
      return ShardId.of(random.nextInt(SHARDS));
    }

    private String id() {
      return "id/" + random.nextInt(IDS);
    }

    /** A lease that is alive, mostly. */
    private LeaseLife lease() {
      List<LeaseLife> alive = model.alive();
      List<LeaseLife> ever = List.copyOf(everAlive);
      if (!alive.isEmpty() && random.nextInt(12) > 0) {
        return alive.get(random.nextInt(alive.size()));
      }
      return ever.isEmpty()
          ? LeaseLife.of(new LeaseId(1), new Revision(1))
          : ever.get(random.nextInt(ever.size()));
    }

    /** A request that differs from those at other places of the same append. */
    private RequestKey request(int place) {
      return random.nextBoolean()
          ? new RequestKey.Numbered(lease(), 3 * random.nextInt(2, 7) + place, random.nextInt(6))
          : new RequestKey.Named("client " + random.nextInt(4), random.nextInt(20) + "/" + place);
    }

    // -------------------------------------------------------------- every read

    private void compare(Version both) {
      JournalVersion version = both.version();
      NaiveJournal model = both.model();
      assertEquals(both.digest(), version.digest());
      assertEquals(model.revision(), version.revision());
      assertEquals(model.records("id"), version.list("id", "", 100));
      List<PublicRecord> page = new ArrayList<>(model.records("id/"));
      page.removeIf(found -> found.id().value().compareTo("id/2") <= 0);
      assertEquals(page.size(), version.list("id/", "id/2", 100).size());
      for (ShardId shard : ShardId.range(SHARDS)) {
        assertEquals(model.liveIds(shard), version.liveIds(shard, "", 100));
        for (int i = 0; i < IDS; i++) {
          compare(version, shard, "id/" + i, model.id(shard, "id/" + i));
        }
        compareOutcomes(version, model, shard);
      }
      for (LeaseLife lease : everAlive) {
        assertEquals(model.attachedTo(lease), version.attachedTo(lease));
        assertEquals(model.attachedTo(lease).size(), version.attachedCount(lease));
        assertEquals(model.isAlive(lease), version.lease(lease.id()).equals(Optional.of(lease)));
      }
      assertEquals(model.liveShards(), version.liveShards());
    }

    private void compareOutcomes(JournalVersion version, NaiveJournal model, ShardId shard) {
      assertEquals(model.lastOrder(shard), version.lastOrder(shard));
      for (int place = 1; place <= 2; place++) {
        for (int number = 0; number < 20; number++) {
          for (int i = 0; i < 4; i++) {
            outcome(
                version, model, shard, new RequestKey.Named("client " + i, number + "/" + place));
          }
        }
      }
      for (LeaseLife lease : everAlive) {
        for (int number = 0; number < 24; number++) {
          outcome(version, model, shard, new RequestKey.Numbered(lease, number, 0));
        }
      }
    }

    private void compare(JournalVersion version, ShardId shard, String name, @Nullable NaiveId id) {
      if (id == null) {
        assertEquals(
            OptionalLong.empty(), version.highestSequenceNr(shard, new PersistenceId(name)));
        assertEquals(Optional.empty(), version.record(shard, new PersistenceId(name)));
        assertEquals(Replay.EMPTY, version.replay(shard, new PersistenceId(name), 1));
        return;
      }
      assertEquals(
          OptionalLong.of(id.highest), version.highestSequenceNr(shard, new PersistenceId(name)));
      assertEquals(Optional.ofNullable(id.record), version.record(shard, new PersistenceId(name)));
      for (long from = 0; from <= id.highest + 1; from++) {
        Replay replay = version.replay(shard, new PersistenceId(name), from);
        assertEquals(List.copyOf(id.events.tailMap(from).values()), replay.events());
        assertEquals(from <= id.stateAt ? id.state : null, replay.state());
        if (!replay.events().isEmpty()) {
          assertEquals(id.events.tailMap(from).firstKey(), replay.firstSequenceNr());
        }
      }
    }

    private static void outcome(
        JournalVersion version, NaiveJournal model, ShardId shard, RequestKey request) {
      assertEquals(
          Optional.ofNullable(model.outcome(shard, request)), version.request(shard, request));
    }
  }
}
