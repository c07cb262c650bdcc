package holdfast.journal.state;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The journal as one would write it down first: maps of the JDK, nothing shared, nothing packed.
 */
final class NaiveJournal {

  /** One id. */
  static final class Id {
    long highest;
    long stateAt;
    @Nullable Bytes state;
    final TreeMap<Long, Bytes> events = new TreeMap<>();
    @Nullable Bytes shown;
    long shownAt;
    List<LeaseRef> leases = List.of();

    Id copy() {
      Id copy = new Id();
      copy.highest = highest;
      copy.stateAt = stateAt;
      copy.state = state;
      copy.events.putAll(events);
      copy.shown = shown;
      copy.shownAt = shownAt;
      copy.leases = leases;
      return copy;
    }
  }

  /** What one shard knows of its writer and of requests. */
  private static final class Shard {
    final TreeMap<String, Id> ids = new TreeMap<>();
    final Map<String, TreeMap<Long, SavedSnapshot>> snapshots = new HashMap<>();
    long epoch;
    final TreeMap<Long, Verdict> verdicts = new TreeMap<>();
    final Map<Client, TreeMap<Long, Bytes>> outcomes = new HashMap<>();
    final Map<Client, Long> floors = new HashMap<>();
    final List<Map.Entry<Client, Long>> window = new ArrayList<>();

    Shard copy() {
      Shard copy = new Shard();
      ids.forEach((id, it) -> copy.ids.put(id, it.copy()));
      snapshots.forEach((id, of) -> copy.snapshots.put(id, new TreeMap<>(of)));
      outcomes.forEach((client, of) -> copy.outcomes.put(client, new TreeMap<>(of)));
      return copy;
    }
  }

  private final Bounds bounds;
  private final Map<Integer, Shard> shards = new TreeMap<>();
  private final Map<LeaseRef, Set<AttachedIdOrder>> attached = new HashMap<>();
  private long revision;

  /** An attached id in the order in which it is listed. */
  private record AttachedIdOrder(int shard, String id) implements Comparable<AttachedIdOrder> {
    @Override
    public int compareTo(AttachedIdOrder other) {
      return shard == other.shard ? id.compareTo(other.id) : Integer.compare(shard, other.shard);
    }
  }

  NaiveJournal(Bounds bounds) {
    this.bounds = bounds;
  }

  /** What can be read of it, as it is now. */
  NaiveJournal copy() {
    NaiveJournal copy = new NaiveJournal(bounds);
    shards.forEach((id, shard) -> copy.shards.put(id, shard.copy()));
    attached.forEach((lease, ids) -> copy.attached.put(lease, new TreeSet<>(ids)));
    copy.revision = revision;
    return copy;
  }

  Verdict append(Append append, Map<Integer, Long> fences, Set<LeaseRef> alive) {
    Shard shard = shard(append.turn().shard());
    Verdict known = known(shard, append.turn(), fences);
    if (known != null) {
      return known;
    }
    Verdict verdict = judge(shard, append, alive);
    return recorded(shard, append.turn(), verdict);
  }

  Verdict delete(JournalCommand.DeleteTo delete, Map<Integer, Long> fences) {
    Shard shard = shard(delete.turn().shard());
    Verdict known = known(shard, delete.turn(), fences);
    if (known != null) {
      return known;
    }
    Id id = shard.ids.get(delete.persistenceId());
    if (id != null && id.events.headMap(delete.toSequenceNr(), true).size() > 0) {
      id.events.headMap(delete.toSequenceNr(), true).clear();
      id.state = null;
      id.stateAt = 0;
    }
    return recorded(shard, delete.turn(), new Verdict.Applied(revision));
  }

  Verdict save(JournalCommand.SaveSnapshot save, Map<Integer, Long> fences) {
    Shard shard = shard(save.turn().shard());
    Verdict known = known(shard, save.turn(), fences);
    if (known != null) {
      return known;
    }
    Id id = shard.ids.get(save.persistenceId());
    if (id != null && id.highest > 0 && save.snapshot().sequenceNr() > id.highest) {
      return recorded(shard, save.turn(), new Verdict.WrongSequence(id.highest));
    }
    TreeMap<Long, SavedSnapshot> of =
        shard.snapshots.computeIfAbsent(save.persistenceId(), created -> new TreeMap<>());
    of.put(save.snapshot().sequenceNr(), save.snapshot());
    if (of.size() > bounds.snapshots()) {
      of.pollFirstEntry();
    }
    return recorded(shard, save.turn(), new Verdict.Applied(revision));
  }

  Verdict delete(JournalCommand.DeleteSnapshots delete, Map<Integer, Long> fences) {
    Shard shard = shard(delete.turn().shard());
    Verdict known = known(shard, delete.turn(), fences);
    if (known != null) {
      return known;
    }
    SnapshotRange range = delete.range();
    shard
        .snapshots
        .getOrDefault(delete.persistenceId(), new TreeMap<>())
        .values()
        .removeIf(
            of ->
                of.sequenceNr() >= range.minSequenceNr()
                    && of.sequenceNr() <= range.maxSequenceNr()
                    && of.timestamp() >= range.minTimestamp()
                    && of.timestamp() <= range.maxTimestamp());
    return recorded(shard, delete.turn(), new Verdict.Applied(revision));
  }

  /** The number that this epoch writes next. */
  long next(int shard, long epoch) {
    Shard found = shard(shard);
    return found.epoch == epoch ? found.verdicts.lastKey() + 1 : 1;
  }

  private Shard shard(int id) {
    return shards.computeIfAbsent(id, created -> new Shard());
  }

  private @Nullable Verdict known(Shard shard, Turn turn, Map<Integer, Long> fences) {
    long fence = fences.getOrDefault(turn.shard(), 0L);
    if (turn.epoch() != fence) {
      return new Verdict.Fenced(fence);
    }
    long last = next(turn.shard(), turn.epoch()) - 1;
    if (turn.number() > last + 1) {
      return new Verdict.Gap(last + 1);
    } else if (turn.number() == last + 1) {
      return null;
    } else if (turn.number() <= last - bounds.verdicts()) {
      return new Verdict.Forgotten(turn.number());
    }
    return shard.verdicts.get(turn.number());
  }

  private static Verdict recorded(Shard shard, Turn turn, Verdict verdict) {
    if (shard.epoch != turn.epoch()) {
      shard.verdicts.clear();
    }
    shard.epoch = turn.epoch();
    shard.verdicts.put(turn.number(), verdict);
    return verdict;
  }

  private Verdict judge(Shard shard, Append append, Set<LeaseRef> alive) {
    Id id = shard.ids.getOrDefault(append.persistenceId(), new Id());
    if (append.sequenceNr() != id.highest + 1) {
      return new Verdict.WrongSequence(id.highest);
    }
    for (LeaseRef lease : append.whileAlive()) {
      if (!alive.contains(lease)) {
        return new Verdict.LeaseDead(lease);
      }
    }
    for (int i = 0; i < append.answers().size(); i++) {
      Request request = append.answers().get(i).request();
      if (request.client() instanceof Client.Session session && !alive.contains(session.lease())) {
        return new Verdict.LeaseDead(session.lease());
      } else if (request.number() < shard.floors.getOrDefault(request.client(), 0L)) {
        return new Verdict.RequestForgotten(i);
      }
      Bytes outcome =
          shard.outcomes.getOrDefault(request.client(), new TreeMap<>()).get(request.number());
      if (outcome != null) {
        return new Verdict.AlreadyAnswered(i, outcome);
      }
    }
    if (append.state() == null
        && !append.tombstone()
        && id.events.size() + append.events().size() > bounds.events()) {
      return new Verdict.TooManyEvents(bounds.events());
    }
    apply(shard, id, append, alive);
    return new Verdict.Applied(revision);
  }

  private void apply(Shard shard, Id id, Append append, Set<LeaseRef> alive) {
    shard.ids.put(append.persistenceId(), id);
    for (Bytes event : append.events()) {
      id.events.put(++id.highest, event);
    }
    if (append.state() != null) {
      id.events.clear();
      id.state = append.state();
      id.stateAt = id.highest;
    }
    if (!(append.publicChange() instanceof PublicChange.None)) {
      revision++;
      id.shown = append.publicChange() instanceof PublicChange.Set set ? set.content() : null;
      id.shownAt = revision;
    }
    AttachedIdOrder name = new AttachedIdOrder(append.turn().shard(), append.persistenceId());
    if (!id.leases.equals(append.leases())) {
      attached.values().forEach(ids -> ids.remove(name));
      for (LeaseRef lease : append.leases()) {
        if (alive.contains(lease)) {
          attached.computeIfAbsent(lease, created -> new TreeSet<>()).add(name);
        }
      }
    }
    id.leases = append.leases();
    if (append.tombstone()) {
      shard.ids.remove(append.persistenceId());
      shard.snapshots.remove(append.persistenceId());
    }
    append.answers().forEach(answer -> answered(shard, answer));
  }

  private void answered(Shard shard, Answer answer) {
    Client client = answer.request().client();
    long number = answer.request().number();
    TreeMap<Long, Bytes> outcomes = shard.outcomes.computeIfAbsent(client, c -> new TreeMap<>());
    outcomes.put(number, answer.outcome());
    if (client instanceof Client.Session) {
      long floor = Math.max(shard.floors.getOrDefault(client, 0L), answer.request().lowestOpen());
      outcomes.headMap(floor).clear();
      while (outcomes.size() > bounds.outcomes()) {
        floor = outcomes.pollFirstEntry().getKey() + 1;
      }
      shard.floors.put(client, floor);
    } else {
      shard.window.add(Map.entry(client, number));
      while (outcomes.size() > bounds.outcomes()) {
        Map.Entry<Client, Long> oldest =
            shard.window.stream()
                .filter(of -> of.getKey().equals(client))
                .findFirst()
                .orElseThrow();
        shard.window.remove(oldest);
        outcomes.remove(oldest.getValue());
      }
      while (shard.window.size() > bounds.window()) {
        Map.Entry<Client, Long> oldest = shard.window.remove(0);
        shard.outcomes.getOrDefault(oldest.getKey(), new TreeMap<>()).remove(oldest.getValue());
      }
    }
  }

  List<AttachedId> leaseEnded(LeaseRef lease) {
    for (Shard shard : shards.values()) {
      shard.outcomes.remove(new Client.Session(lease));
      shard.floors.remove(new Client.Session(lease));
    }
    List<AttachedId> had = attachedTo(lease);
    attached.remove(lease);
    return had;
  }

  // ---------------------------------------------------------------- what can be read

  long revision() {
    return revision;
  }

  Set<Integer> shards() {
    return new HashSet<>(shards.keySet());
  }

  List<String> liveKeys(int shard) {
    return List.copyOf(shards.getOrDefault(shard, new Shard()).ids.keySet());
  }

  @Nullable Id id(int shard, String id) {
    return shards.getOrDefault(shard, new Shard()).ids.get(id);
  }

  List<SavedSnapshot> snapshots(int shard, String id) {
    return List.copyOf(
        shards
            .getOrDefault(shard, new Shard())
            .snapshots
            .getOrDefault(id, new TreeMap<>())
            .values());
  }

  List<PublicRecord> records(String prefix) {
    List<PublicRecord> records = new ArrayList<>();
    for (Shard shard : shards.values()) {
      shard.ids.forEach(
          (key, id) -> {
            if (key.startsWith(prefix) && id.shown != null) {
              records.add(new PublicRecord(key, id.shown, id.shownAt));
            }
          });
    }
    records.sort(Comparator.comparing(PublicRecord::key));
    return records;
  }

  @Nullable Bytes outcome(int shard, Client client, long number) {
    return shards
        .getOrDefault(shard, new Shard())
        .outcomes
        .getOrDefault(client, new TreeMap<>())
        .get(number);
  }

  List<AttachedId> attachedTo(LeaseRef lease) {
    return attached.getOrDefault(lease, Set.of()).stream()
        .map(name -> new AttachedId(name.shard(), name.id()))
        .toList();
  }
}
