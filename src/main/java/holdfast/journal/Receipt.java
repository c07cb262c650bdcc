package holdfast.journal;

import holdfast.journal.state.PublicChange;
import holdfast.journal.state.Verdict;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where an actor finds what the journal said about an event of its own, once the event is written.
 */
public final class Receipt {

  /** For events whose actor does not care. Stays empty. */
  public static final Receipt NONE = new Receipt();

  // Plain: it is set before the journal confirms the event, and the actor reads it after the
  // message that says so has come.
  private Verdict.@Nullable Applied applied;

  /** The verdict, with the revision after this event's own change; empty until it is written. */
  public Optional<Verdict.Applied> applied() {
    return Optional.ofNullable(applied);
  }

  void set(Verdict.Applied verdict) {
    if (this != NONE) {
      applied = verdict;
    }
  }

  /**
   * The revision after one event of an append: of its own public change, or of the last one before.
   * Of an event without a change it may be a later one, if the record that the append's first
   * change takes away was there; it is never one before the event.
   */
  static long revisionOf(int event, List<PublicChange> changes, long revisionAfterAll) {
    long revision = revisionAfterAll;
    boolean isSet = false;
    for (int i = 0; i < changes.size(); i++) {
      PublicChange change = changes.get(i);
      boolean isChange = isSet(change) || (isSet && isAbsent(change));
      if (i > event && isChange) {
        revision--;
      }
      isSet = isSet(change) || (isSet && !isAbsent(change));
    }
    return revision;
  }

  private static boolean isSet(PublicChange change) {
    return change instanceof PublicChange.Set;
  }

  private static boolean isAbsent(PublicChange change) {
    return change instanceof PublicChange.Absent;
  }
}
