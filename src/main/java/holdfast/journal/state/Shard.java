package holdfast.journal.state;

import holdfast.journal.state.JournalCommand.DeleteSnapshots;
import holdfast.journal.state.JournalCommand.DeleteTo;
import holdfast.journal.state.JournalCommand.SaveSnapshot;
import java.util.List;
import java.util.Optional;

/** One shard of the journal: its histories, its outcomes, and what its writer has sent. */
final class Shard {

  /** The shard as it was, for readers. */
  record Frozen(
      int id,
      SortedBytes histories,
      SortedBytes requests,
      SortedBytes snapshots,
      VerdictRecord.Frozen verdicts) {}

  private final int id;
  private final Bounds bounds;
  private final Requests requests;
  private final VerdictRecord verdicts;
  private SortedBytes histories;
  private SortedBytes snapshots;

  Shard(int id, Bounds bounds) {
    this(
        id,
        bounds,
        SortedBytes.EMPTY,
        SortedBytes.EMPTY,
        SortedBytes.EMPTY,
        new VerdictRecord(bounds.verdicts()));
  }

  Shard(
      int id,
      Bounds bounds,
      SortedBytes histories,
      SortedBytes requests,
      SortedBytes snapshots,
      VerdictRecord verdicts) {
    this.id = id;
    this.bounds = bounds;
    this.histories = histories;
    this.snapshots = snapshots;
    this.requests = new Requests(bounds, requests);
    this.verdicts = verdicts;
  }

  int id() {
    return id;
  }

  /** Judges an append, and applies it if the verdict is that. */
  Verdict append(
      Append append, Revisions revisions, Fences fences, Leases leases, LeaseIndex index) {
    Optional<Verdict> known = verdicts.known(append.turn(), fences.epochOf(id));
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = Bytes.of(append.persistenceId()).array();
    History history = history(key);
    Verdict verdict =
        objection(append, history, leases)
            .orElseGet(
                () -> {
                  long revision = revisions.after(append.publicChange());
                  take(key, append, history, revision);
                  index.move(id, key, history.leases(), append.leases(), leases);
                  return new Verdict.Applied(revision);
                });
    verdicts.record(append.turn(), verdict);
    return verdict;
  }

  private Optional<Verdict> objection(Append append, History history, Leases leases) {
    if (append.sequenceNr() != history.highest() + 1) {
      return Optional.of(new Verdict.WrongSequence(history.highest()));
    }
    for (LeaseRef lease : append.whileAlive()) {
      if (!lease.isAliveIn(leases)) {
        return Optional.of(new Verdict.LeaseDead(lease));
      }
    }
    List<Answer> answers = append.answers();
    for (int i = 0; i < answers.size(); i++) {
      Request request = answers.get(i).request();
      // The outcomes of a session go with its lease: without it, none could be told from new ones.
      if (request.client() instanceof Client.Session session
          && !session.lease().isAliveIn(leases)) {
        return Optional.of(new Verdict.LeaseDead(session.lease()));
      }
      Optional<Verdict> objection = requests.objection(i, request);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return append.state() == null
            && history.events().size() + append.events().size() > bounds.events()
            && !append.tombstone()
        ? Optional.of(new Verdict.TooManyEvents(bounds.events()))
        : Optional.empty();
  }

  private void take(byte[] key, Append append, History history, long revision) {
    if (append.tombstone()) {
      histories = histories.remove(key);
      snapshots = snapshots.remove(key);
    } else {
      histories = histories.put(key, history.after(append, revision).encode());
    }
    for (Answer answer : append.answers()) {
      requests.answered(answer.request(), answer.outcome());
    }
  }

  Verdict delete(DeleteTo delete, Revisions revisions, Fences fences) {
    Optional<Verdict> known = verdicts.known(delete.turn(), fences.epochOf(id));
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = Bytes.of(delete.persistenceId()).array();
    History history = history(key);
    History rest = history.deletedTo(delete.toSequenceNr());
    if (!rest.equals(history)) {
      histories = histories.put(key, rest.encode());
    }
    Verdict verdict = new Verdict.Applied(revisions.current());
    verdicts.record(delete.turn(), verdict);
    return verdict;
  }

  /**
   * Keeps a snapshot. One that counts in more than there is is refused; an id without events has
   * nothing to compare it with.
   */
  Verdict save(SaveSnapshot save, Revisions revisions, Fences fences) {
    Optional<Verdict> known = verdicts.known(save.turn(), fences.epochOf(id));
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = Bytes.of(save.persistenceId()).array();
    long highest = history(key).highest();
    Verdict verdict = new Verdict.Applied(revisions.current());
    if (highest > 0 && save.snapshot().sequenceNr() > highest) {
      verdict = new Verdict.WrongSequence(highest);
    } else {
      SavedSnapshots kept = snapshots(snapshots, key).with(save.snapshot(), bounds.snapshots());
      snapshots = snapshots.put(key, kept.encode());
    }
    verdicts.record(save.turn(), verdict);
    return verdict;
  }

  Verdict delete(DeleteSnapshots delete, Revisions revisions, Fences fences) {
    Optional<Verdict> known = verdicts.known(delete.turn(), fences.epochOf(id));
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = Bytes.of(delete.persistenceId()).array();
    SavedSnapshots rest = snapshots(snapshots, key).without(delete.range());
    snapshots = rest.saved().isEmpty() ? snapshots.remove(key) : snapshots.put(key, rest.encode());
    Verdict verdict = new Verdict.Applied(revisions.current());
    verdicts.record(delete.turn(), verdict);
    return verdict;
  }

  static SavedSnapshots snapshots(SortedBytes snapshots, byte[] key) {
    byte[] bytes = snapshots.get(key);
    return bytes == null ? SavedSnapshots.NONE : SavedSnapshots.decode(bytes);
  }

  private History history(byte[] key) {
    byte[] bytes = histories.get(key);
    return bytes == null ? History.NONE : History.decode(bytes);
  }

  void leaseEnded(LeaseRef lease) {
    requests.ended(lease);
  }

  Frozen freeze() {
    return new Frozen(id, histories, requests.kept(), snapshots, verdicts.freeze());
  }
}
