package holdfast.journal;

import holdfast.journal.state.Answer;
import holdfast.journal.state.LeaseChange;
import holdfast.journal.state.LeaseRef;
import holdfast.journal.state.Need;
import holdfast.journal.state.PublicChange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way to the journal, with the epoch under which its actor was made and all that
 * must become true with it.
 *
 * <p>The epoch is taken once, when the actor is made, and never looked up for a write: an actor
 * that outlived its shard's epoch must not borrow the next one.
 *
 * <p>Of several events that are persisted together, the last one's state, leases, waiters and
 * tombstone count; their changes, answers and needed leases count all.
 *
 * @param state what it leads to, in place of the history; null to keep the history
 * @param change what it leaves for everyone to see
 * @param leaseChange the lease that begins or ends with it; then it is persisted alone
 * @param leases what the actor's id hangs on from now on, beside the leases of its record
 * @param answers the requests that this answers
 * @param whileAlive leases without which it must not be applied
 * @param tombstone whether the id is free and unwanted from now on
 * @param forgetBefore outcomes of named requests that came before this place are not needed; 0 for
 *     none
 * @param need how much room it needs; of several events the most
 * @param waiters how many requests wait for the actor's id from now on
 * @param receipt gets the verdict
 */
public record FencedEvent(
    int shard,
    long epoch,
    Object event,
    @Nullable Object state,
    PublicChange change,
    @Nullable LeaseChange leaseChange,
    List<LeaseRef> leases,
    List<Answer> answers,
    List<LeaseRef> whileAlive,
    boolean tombstone,
    long forgetBefore,
    Need need,
    int waiters,
    Receipt receipt) {

  public FencedEvent {
    leases = List.copyOf(leases);
    answers = List.copyOf(answers);
    whileAlive = List.copyOf(whileAlive);
  }

  /** An event that nobody but its own actor learns of. */
  public static FencedEvent of(int shard, long epoch, Object event) {
    return new FencedEvent(
        shard,
        epoch,
        event,
        null,
        PublicChange.none(),
        null,
        List.of(),
        List.of(),
        List.of(),
        /* tombstone= */ false,
        0,
        Need.NOTHING,
        /* waiters= */ 0,
        Receipt.NONE);
  }

  /** The same, with a state in place of the history. */
  public FencedEvent withState(@Nullable Object instead) {
    return new FencedEvent(
        shard,
        epoch,
        event,
        instead,
        change,
        leaseChange,
        leases,
        answers,
        whileAlive,
        tombstone,
        forgetBefore,
        need,
        waiters,
        receipt);
  }
}
