package holdfast.journal;

import akka.persistence.AtomicWrite;
import holdfast.journal.state.Answer;
import holdfast.journal.state.Append;
import holdfast.journal.state.Bytes;
import holdfast.journal.state.LeaseChange;
import holdfast.journal.state.LeaseRef;
import holdfast.journal.state.Need;
import holdfast.journal.state.PublicChange;
import holdfast.journal.state.Turn;
import holdfast.journal.state.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Events that are persisted together, as one append. */
final class Together {

  private Together() {}

  /* What an append leaves behind is what its last event says; what it says and needs, all say. */
  static Append append(
      Turn turn,
      AtomicWrite write,
      List<FencedEvent> all,
      List<Bytes> events,
      @Nullable Bytes state) {
    FencedEvent last = all.get(all.size() - 1);
    LeaseChange leaseChange = null;
    List<Answer> answers = new ArrayList<>();
    Set<LeaseRef> whileAlive = new LinkedHashSet<>();
    long forgetBefore = 0;
    Need need = Need.NOTHING;
    for (FencedEvent event : all) {
      leaseChange = event.leaseChange() == null ? leaseChange : event.leaseChange();
      answers.addAll(event.answers());
      whileAlive.addAll(event.whileAlive());
      forgetBefore = Math.max(forgetBefore, event.forgetBefore());
      need = event.need().compareTo(need) > 0 ? event.need() : need;
    }
    return new Append(
        turn,
        write.persistenceId(),
        write.lowestSequenceNr(),
        events,
        state,
        changes(all),
        leaseChange,
        last.leases(),
        answers,
        List.copyOf(whileAlive),
        last.tombstone(),
        forgetBefore,
        need,
        last.waiters());
  }

  /** Tells each event its own revision. */
  static void written(List<FencedEvent> all, Verdict.Applied verdict) {
    List<PublicChange> changes = changes(all);
    for (int i = 0; i < all.size(); i++) {
      long revision = Receipt.revisionOf(i, changes, verdict.revision());
      all.get(i).receipt().set(new Verdict.Applied(revision, verdict.ended()));
    }
  }

  private static List<PublicChange> changes(List<FencedEvent> all) {
    List<PublicChange> changes = new ArrayList<>(all.size());
    all.forEach(event -> changes.add(event.change()));
    return changes;
  }
}
