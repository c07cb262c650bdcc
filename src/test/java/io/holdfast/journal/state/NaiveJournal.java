package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A naive implementation of the journal with maps of the JDK: nothing shared, nothing packed. */
final class NaiveJournal {

  private final Bounds bounds;
  private final Map<ShardId, NaiveShard> shards = new TreeMap<>();
  private final Map<LeaseId, Revision> leases = new TreeMap<>();
  private final List<Change> changes = new ArrayList<>();
  private final List<LeaseEnd> leaseEnds = new ArrayList<>();
  private long revision;

  NaiveJournal(Bounds bounds) {
    this.bounds = bounds;
  }

  /** A copy of all that can be read. */
  NaiveJournal copy() {
    NaiveJournal copy = new NaiveJournal(bounds);
    shards.forEach((id, shard) -> copy.shards.put(id, shard.copy()));
    copy.leases.putAll(leases);
    copy.revision = revision;
    return copy;
  }

  Verdict append(Append append, Map<ShardId, Epoch> fences) {
    NaiveShard shard = shard(append.id().shard());
    Verdict known = known(shard, append.id(), fences);
    if (known != null) {
      return known;
    }
    shard.window.headMap(append.draft().forgetBefore()).clear();
    Verdict verdict = judge(shard, append);
    return recorded(shard, append.id(), verdict);
  }

  /** The number that this epoch writes next. */
  long next(ShardId shard, Epoch epoch) {
    NaiveShard found = shard(shard);
    return found.epoch.equals(epoch) ? found.verdicts.lastKey() + 1 : 1;
  }

  private NaiveShard shard(ShardId id) {
    return shards.computeIfAbsent(id, created -> new NaiveShard());
  }

  private @Nullable Verdict known(NaiveShard shard, AppendId appendId, Map<ShardId, Epoch> fences) {
    Epoch fence = fences.getOrDefault(appendId.shard(), Epoch.NONE);
    if (!appendId.epoch().equals(fence)) {
      return new Verdict.Fenced(fence);
    }
    long last = next(appendId.shard(), appendId.epoch()) - 1;
    if (appendId.number() > last + 1) {
      return new Verdict.Gap(last + 1);
    } else if (appendId.number() == last + 1) {
      return null;
    } else if (appendId.number() <= last - bounds.verdicts()) {
      return new Verdict.Forgotten(appendId.number());
    }
    return shard.verdicts.get(appendId.number());
  }

  private static Verdict recorded(NaiveShard shard, AppendId appendId, Verdict verdict) {
    if (!shard.epoch.equals(appendId.epoch())) {
      shard.verdicts.clear();
    }
    shard.epoch = appendId.epoch();
    shard.verdicts.put(appendId.number(), verdict);
    return verdict;
  }

  private Verdict judge(NaiveShard shard, Append append) {
    NaiveId id = shard.ids.getOrDefault(append.persistenceId().value(), new NaiveId());
    if (append.sequenceNr() != id.highest + 1) {
      return new Verdict.WrongSequence(id.highest);
    }
    List<LeaseLife> needed = new ArrayList<>(append.draft().whileAlive());
    append
        .draft()
        .changes()
        .forEach(change -> parts(change).forEach(part -> needed.add(part.lease())));
    for (LeaseLife lease : needed) {
      if (lease != null && !isAlive(lease)) {
        return new Verdict.LeaseDead(lease);
      }
    }
    if (append.draft().leaseChange() instanceof LeaseChange.Begins begins
        && leases.containsKey(begins.id())) {
      return new Verdict.LeaseAlive(LeaseLife.of(begins.id(), leases.get(begins.id())));
    }
    if (append.draft().leaseChange() instanceof LeaseChange.Ends ends && !isAlive(ends.lease())) {
      return new Verdict.LeaseDead(ends.lease());
    }
    List<RequestKey.Named> all = shard.window.values().stream().map(Map.Entry::getKey).toList();
    List<RequestKey.Named> more = new ArrayList<>(all);
    for (int i = 0; i < append.draft().answers().size(); i++) {
      RequestKey asked = append.draft().answers().get(i).request();
      Bytes outcome = outcome(append.id().shard(), asked);
      if (asked instanceof RequestKey.Numbered request) {
        if (!isAlive(request.lease())) {
          return new Verdict.LeaseDead(request.lease());
        } else if (request.number() < shard.floors.getOrDefault(request.lease(), 0L)) {
          return new Verdict.RequestForgotten(i);
        }
      }
      if (outcome != null) {
        return new Verdict.AlreadyAnswered(i, outcome);
      }
      if (asked instanceof RequestKey.Named request) {
        more.add(request);
        long ofClient = more.stream().filter(r -> r.client().equals(request.client())).count();
        if (more.size() > bounds.window() || ofClient > bounds.clientWindow()) {
          return new Verdict.TooManyRequests(i);
        }
      }
    }
    if (append.state() == null
        && !append.draft().tombstone()
        && id.events.size() >= bounds.events()) {
      return new Verdict.TooManyEvents(bounds.events());
    }
    int ended = apply(shard, id, append);
    return new Verdict.Applied(new Revision(revision), ended);
  }

  private static List<Part> parts(PublicChange change) {
    return change instanceof PublicChange.Set set ? set.parts() : List.of();
  }

  private int apply(NaiveShard shard, NaiveId id, Append append) {
    String name = append.persistenceId().value();
    shard.ids.put(name, id);
    id.events.put(++id.highest, append.event());
    if (append.state() != null) {
      id.events.clear();
      id.state = append.state();
      id.stateAt = id.highest;
    }
    int parts = 0;
    if (append.draft().leaseChange() instanceof LeaseChange.Ends ends) {
      leases.remove(ends.lease().id());
      id.leases = without(id.leases, List.of(ends.lease()));
      parts =
          end(
              ends.lease(),
              id,
              name,
              ((PublicChange.Absent) append.draft().changes().get(0)).note());
    } else {
      append.draft().changes().forEach(change -> show(id, name, change));
    }
    if (append.draft().leaseChange() instanceof LeaseChange.Begins begins) {
      leases.put(begins.id(), new Revision(revision));
    }
    List<LeaseLife> attached = new ArrayList<>(without(id.leases, append.draft().detach()));
    append.draft().attach().stream().filter(this::isAlive).forEach(attached::add);
    id.leases = attached.stream().distinct().toList();
    if (append.draft().tombstone()) {
      shard.ids.remove(name);
    }
    append.draft().answers().forEach(answer -> answered(shard, answer));
    if (append.draft().leaseChange() instanceof LeaseChange.Ends ends) {
      for (NaiveShard each : shards.values()) {
        each.outcomes.remove(ends.lease());
        each.floors.remove(ends.lease());
      }
    }
    return parts;
  }

  private static List<LeaseLife> without(List<LeaseLife> some, List<LeaseLife> others) {
    return some.stream().filter(lease -> !others.contains(lease)).toList();
  }

  private void show(NaiveId id, String name, PublicChange change) {
    PublicRecord before = id.record;
    Revision next = new Revision(revision + 1);
    if (change instanceof PublicChange.Set set) {
      id.record =
          new PublicRecord(
              new PersistenceId(name),
              set.parts(),
              before == null ? next : before.created(),
              next,
              before == null ? 1 : before.version() + 1);
    } else if (change instanceof PublicChange.Absent && before != null) {
      id.record = null;
    } else {
      return;
    }
    changes.add(new Change(next, new PersistenceId(name), before, id.record, AppendBuilder.NOTE));
    revision++;
  }

  /**
   * Ends a lease: removes the parts attached to it, in all shards, and the record of the id that
   * ends it.
   */
  private int end(LeaseLife lease, NaiveId by, String name, Bytes note) {
    List<Change> together = new ArrayList<>();
    Revision at = new Revision(revision + 1);
    if (by.record != null) {
      together.add(new Change(at, new PersistenceId(name), by.record, null, note));
      by.record = null;
    }
    leaseEnds.add(new LeaseEnd(lease, note, attachedTo(lease)));
    int parts = 0;
    for (NaiveShard shard : shards.values()) {
      for (Map.Entry<String, NaiveId> entry : shard.ids.entrySet()) {
        NaiveId id = entry.getValue();
        id.leases = id.leases.stream().filter(of -> !of.equals(lease)).toList();
        PublicRecord before = id.record;
        if (before != null) {
          List<Part> rest =
              before.parts().stream().filter(part -> !lease.equals(part.lease())).toList();
          if (rest.size() < before.parts().size()) {
            parts += before.parts().size() - rest.size();
            id.record =
                rest.isEmpty()
                    ? null
                    : new PublicRecord(
                        new PersistenceId(entry.getKey()),
                        rest,
                        before.created(),
                        at,
                        before.version() + 1);
            together.add(
                new Change(at, new PersistenceId(entry.getKey()), before, id.record, note));
          }
        }
      }
    }
    together.sort(Comparator.comparing(Change::id));
    changes.addAll(together);
    revision += together.isEmpty() ? 0 : 1;
    return parts;
  }

  private void answered(NaiveShard shard, AnsweredRequest answer) {
    if (answer.request() instanceof RequestKey.Numbered request) {
      TreeMap<Long, Bytes> outcomes =
          shard.outcomes.computeIfAbsent(request.lease(), created -> new TreeMap<>());
      outcomes.put(request.number(), answer.outcome());
      long floor = Math.max(shard.floors.getOrDefault(request.lease(), 0L), request.lowestOpen());
      outcomes.headMap(floor).clear();
      while (outcomes.size() > bounds.outcomes()) {
        floor = outcomes.pollFirstEntry().getKey() + 1;
      }
      shard.floors.put(request.lease(), floor);
    } else if (answer.request() instanceof RequestKey.Named request) {
      shard.window.put(++shard.lastOrder, Map.entry(request, answer.outcome()));
    }
  }

  // ---------------------------------------------------------------- what can be read

  Revision revision() {
    return new Revision(revision);
  }

  /** The changes since the last call. */
  List<Change> takeChanges() {
    List<Change> taken = List.copyOf(changes);
    changes.clear();
    return taken;
  }

  List<LeaseEnd> takeLeaseEnds() {
    List<LeaseEnd> taken = List.copyOf(leaseEnds);
    leaseEnds.clear();
    return taken;
  }

  boolean isAlive(LeaseLife lease) {
    return lease.incarnation().equals(leases.get(lease.id()));
  }

  /** The leases that are alive, by their ids. */
  List<LeaseLife> alive() {
    return leases.entrySet().stream()
        .map(lease -> LeaseLife.of(lease.getKey(), lease.getValue()))
        .toList();
  }

  List<ShardId> liveShards() {
    return shards.entrySet().stream()
        .filter(shard -> !shard.getValue().ids.isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  long lastOrder(ShardId shard) {
    return shards.getOrDefault(shard, new NaiveShard()).lastOrder;
  }

  List<PersistenceId> liveIds(ShardId shard) {
    return shards.getOrDefault(shard, new NaiveShard()).ids.keySet().stream()
        .map(PersistenceId::new)
        .toList();
  }

  @Nullable NaiveId id(ShardId shard, String id) {
    return shards.getOrDefault(shard, new NaiveShard()).ids.get(id);
  }

  List<PublicRecord> records(String prefix) {
    List<PublicRecord> records = new ArrayList<>();
    for (NaiveShard shard : shards.values()) {
      shard.ids.forEach(
          (key, id) -> {
            if (key.startsWith(prefix) && id.record != null) {
              records.add(id.record);
            }
          });
    }
    records.sort(Comparator.comparing(PublicRecord::id));
    return records;
  }

  @Nullable Bytes outcome(ShardId shard, RequestKey request) {
    NaiveShard of = shards.getOrDefault(shard, new NaiveShard());
    if (request instanceof RequestKey.Numbered numbered) {
      return of.outcomes.getOrDefault(numbered.lease(), new TreeMap<>()).get(numbered.number());
    }
    for (Map.Entry<RequestKey.Named, Bytes> kept : of.window.values()) {
      if (kept.getKey().equals(request)) {
        return kept.getValue();
      }
    }
    return null;
  }

  List<AttachedId> attachedTo(LeaseLife lease) {
    List<AttachedId> found = new ArrayList<>();
    shards.forEach(
        (shard, of) ->
            of.ids.forEach(
                (name, id) -> {
                  boolean byPart =
                      id.record != null
                          && id.record.parts().stream()
                              .anyMatch(part -> lease.equals(part.lease()));
                  if (byPart || id.leases.contains(lease)) {
                    found.add(new AttachedId(shard, new PersistenceId(name)));
                  }
                }));
    return found;
  }
}
