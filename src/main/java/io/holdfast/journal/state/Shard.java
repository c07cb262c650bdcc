package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One shard of the journal: its histories, its outcomes of requests, and the last verdicts on its
 * appends.
 */
final class Shard {

  /** The immutable content of a shard, for readers. */
  record Frozen(
      ShardId id,
      SortedBytes histories,
      SortedBytes requests,
      long lastOrder,
      VerdictRecord.Frozen verdicts) {}

  private final ShardId id;
  private final Bounds bounds;
  private final RequestOutcomes requests;
  private final VerdictRecord verdicts;
  private final SizeAccount account;
  private final AccountedMap histories;

  /** The current content, if a reader has asked since the last change. */
  private @Nullable Frozen frozen;

  Shard(ShardId id, Bounds bounds, SizeAccount account) {
    this(
        id,
        bounds,
        SortedBytes.EMPTY,
        new RequestOutcomes(bounds, SortedBytes.EMPTY, 0, account),
        new VerdictRecord(bounds.verdicts()),
        account);
  }

  Shard(
      ShardId id,
      Bounds bounds,
      SortedBytes histories,
      RequestOutcomes requests,
      VerdictRecord verdicts,
      SizeAccount account) {
    this.id = id;
    this.bounds = bounds;
    this.account = account;
    this.histories = new AccountedMap(histories, account);
    this.requests = requests;
    this.verdicts = verdicts;
    histories.scan(
        new byte[0],
        (key, value) -> {
          account.changed(
              History.NONE, History.decode(new PersistenceId(Bytes.of(key).text()), value));
          return true;
        });
  }

  ShardId id() {
    return id;
  }

  /** Judges an append, and applies it unless it is refused. */
  Verdict append(Append append, ApplyContext applying) {
    frozen = null;
    Optional<Verdict> known = verdicts.known(append.id(), applying.fences().epochOf(id));
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = Bytes.of(append.persistenceId().value()).array();
    History history = history(append.persistenceId(), key);
    requests.forget(append.draft().forgetBefore());
    Verdict verdict =
        objection(append, history, applying).orElseGet(() -> take(key, append, history, applying));
    verdicts.record(append.id(), verdict);
    return verdict;
  }

  private Optional<Verdict> objection(Append append, History history, ApplyContext applying) {
    LeaseTable leases = applying.leases();
    if (append.sequenceNr() != history.highest() + 1) {
      return Optional.of(new Verdict.WrongSequence(history.highest()));
    }
    for (LeaseLife lease : append.draft().whileAlive()) {
      if (!leases.isAlive(lease)) {
        return Optional.of(new Verdict.LeaseDead(lease));
      }
    }
    Optional<Verdict> objection = LeaseRules.objection(append, leases);
    if (objection.isPresent()) {
      return objection;
    }
    Optional<Verdict> answered = requests.objection(append.draft().answers(), leases);
    if (answered.isPresent()) {
      return answered;
    }
    if (append.state() == null && !append.draft().tombstone() && history.isLong(bounds)) {
      return Optional.of(new Verdict.TooManyEvents(bounds.events()));
    }
    return applying.full(append.draft().need());
  }

  private Verdict take(byte[] key, Append append, History history, ApplyContext applying) {
    LeaseChange change = append.draft().leaseChange();
    LeaseLife ended = change instanceof LeaseChange.Ends ends ? ends.lease() : null;
    PublicRecord left = null;
    if (ended != null) {
      applying.leases().ends(ended);
    } else {
      left = applying.changed(append, history.record());
    }
    if (change instanceof LeaseChange.Begins begins) {
      applying.leases().begins(LeaseLife.of(begins.id(), applying.revisions().current()));
    }
    History after = history.after(append, left, attach(key, append, history, left, applying));
    if (append.draft().tombstone()) {
      histories.remove(key);
      account.changed(history, History.NONE);
    } else {
      histories.put(key, after.encode());
      account.changed(history, after);
    }
    for (AnsweredRequest answer : append.draft().answers()) {
      requests.answered(answer.request(), answer.outcome());
    }
    int parts = ended == null ? 0 : applying.ended(ended, append, history.record());
    return new Verdict.Applied(applying.revisions().current(), parts);
  }

  /** Changes the leases of an id. Returns to how many it is attached by itself. */
  private int attach(
      byte[] key,
      Append append,
      History history,
      @Nullable PublicRecord left,
      ApplyContext applying) {
    Draft draft = append.draft();
    List<LeaseLife> detach = draft.detach();
    if (draft.leaseChange() instanceof LeaseChange.Ends ends) {
      detach = new ArrayList<>(detach);
      detach.add(ends.lease());
    }
    int attached =
        applying
            .attached()
            .change(
                id,
                key,
                history.leases(),
                PublicRecord.leases(history.record()),
                PublicRecord.leases(left),
                detach,
                applying.living(append));
    if (draft.tombstone() && attached > 0) {
      applying.attached().forget(id, key);
      return 0;
    }
    return attached;
  }

  /**
   * Removes the parts of an id's record that are attached to a lease, which has ended at this
   * revision. Returns the number of parts.
   */
  int detach(
      LeaseIndex.Attached from,
      LeaseLife lease,
      Revision revision,
      Bytes note,
      List<Change> changes) {
    frozen = null;
    PersistenceId persistenceId = from.id().persistenceId();
    byte[] key = Bytes.of(persistenceId.value()).array();
    History before = history(persistenceId, key);
    int attached = before.leases() - (from.isByItself() ? 1 : 0);
    History after = before.without(lease, revision, attached);
    histories.put(key, after.encode());
    account.changed(before, after);
    PublicRecord record = before.record();
    int parts = record == null ? 0 : record.partsOn(lease);
    if (parts > 0) {
      changes.add(new Change(revision, persistenceId, record, after.record(), note));
    }
    return parts;
  }

  private History history(PersistenceId persistenceId, byte[] key) {
    byte[][] pieces = histories.pieces(key);
    return pieces == null ? History.NONE : History.decode(persistenceId, pieces);
  }

  /**
   * Removes the outcomes of a session whose lease has ended. Only few shards have any: the others
   * stay frozen.
   */
  void leaseEnded(LeaseLife lease) {
    SortedBytes before = requests.kept();
    requests.ended(lease);
    if (requests.kept() != before) {
      frozen = null;
    }
  }

  Frozen freeze() {
    Frozen now = frozen;
    if (now == null) {
      now = new Frozen(id, histories.now(), requests.kept(), requests.last(), verdicts.freeze());
      frozen = now;
    }
    return now;
  }
}
