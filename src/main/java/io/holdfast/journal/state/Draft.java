package io.holdfast.journal.state;

import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The consequences and conditions of an append, beside its event: an append without its id, its
 * place in the history, and bytes.
 *
 * @param changes of the id's public record, one after the other, each with a revision
 * @param leaseChange the lease that begins or ends with it; then there is exactly one public change
 * @param attach leases to which the id is attached from now on, by itself and beside the leases of
 *     its record's parts, as far as they are alive
 * @param detach leases to which it is no longer attached by itself
 * @param answers the requests that this answers, each only once
 * @param whileAlive leases that must be alive, or it is refused
 * @param tombstone true if nobody needs the id any more: the journal then forgets it
 * @param forgetBefore outcomes of named requests of the shard before this place are no longer
 *     needed, whatever the verdict; 0 if there are none
 * @param need the room that it needs
 * @param waiters the number of requests that wait for the id from now on
 */
public record Draft(
    List<PublicChange> changes,
    @Nullable LeaseChange leaseChange,
    List<LeaseLife> attach,
    List<LeaseLife> detach,
    List<AnsweredRequest> answers,
    List<LeaseLife> whileAlive,
    boolean tombstone,
    long forgetBefore,
    Need need,
    int waiters) {

  public static final int MAX_LEASES = 65_535;

  public static final int MAX_WAITERS = 65_535;

  /** An append without consequences: only its event is kept. */
  public static final Draft NONE = showing();

  public Draft {
    changes = List.copyOf(changes);
    attach = List.copyOf(attach);
    detach = List.copyOf(detach);
    answers = List.copyOf(answers);
    whileAlive = List.copyOf(whileAlive);
    Required.within("leases", attach.size(), 0, MAX_LEASES);
    Required.within("leases before", detach.size(), 0, MAX_LEASES);
    Required.within("leases needed", whileAlive.size(), 0, MAX_LEASES);
    Required.within("waiters", waiters, 0, MAX_WAITERS);
    Required.within("order", forgetBefore, 0, Long.MAX_VALUE);
    // The most bytes of a record, and a note.
    Required.within(
        "public changes", bytes(changes), 0, Append.MAX_BYTES + PublicChange.MAX_NOTE_BYTES);
    for (AnsweredRequest answer : answers) {
      Required.within("outcome", answer.outcome().size(), 0, Append.MAX_BYTES);
    }
    Required.that(
        answers.size() < 2
            || answers.stream().map(Draft::request).distinct().count() == answers.size(),
        "an append answers a request twice");
    PublicChange last = changes.isEmpty() ? null : changes.get(changes.size() - 1);
    Required.that(
        !tombstone || (attach.isEmpty() && isAbsent(last)),
        "a tombstone leaves a record or leases");
    Required.that(
        leaseChange == null || changes.size() == 1, "a lease changes with another public change");
    Required.that(
        !(leaseChange instanceof LeaseChange.Begins) || isSet(last),
        "a lease begins without a record");
    Required.that(
        !(leaseChange instanceof LeaseChange.Ends) || isAbsent(last),
        "a lease ends and leaves its record");
  }

  /** Public changes, and nothing else. It needs no room. */
  public static Draft showing(PublicChange... changes) {
    return new Draft(
        List.of(changes),
        /* leaseChange= */ null,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        /* tombstone= */ false,
        /* forgetBefore= */ 0,
        Need.NOTHING,
        /* waiters= */ 0);
  }

  private static long bytes(List<PublicChange> changes) {
    long bytes = 0;
    for (PublicChange change : changes) {
      bytes += change.bytes();
    }
    return bytes;
  }

  private static boolean isSet(@Nullable PublicChange change) {
    return change instanceof PublicChange.Set;
  }

  private static boolean isAbsent(@Nullable PublicChange change) {
    return change instanceof PublicChange.Absent;
  }

  private static Object request(AnsweredRequest answer) {
    return answer.request() instanceof RequestKey.Numbered numbered
        ? List.of(numbered.lease(), numbered.number())
        : answer.request();
  }

  /**
   * The revision of one of the changes. A change that removes a record that does not exist has the
   * revision of the change before.
   *
   * @param after the revision after all of them
   */
  public Revision revision(int change, Revision after) {
    long revision = after.value();
    for (int i = change + 1; i < changes.size(); i++) {
      boolean isChange = isSet(changes.get(i)) || isSet(changes.get(i - 1));
      revision -= isChange ? 1 : 0;
    }
    return new Revision(revision);
  }
}
