package holdfast.journal;

import holdfast.journal.state.Answer;
import holdfast.journal.state.LeaseRef;
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
 * @param state what it leads to, in place of the history; null to keep the history
 * @param publicChange what it leaves for everyone to see
 * @param leases all that the actor's id hangs on from now on
 * @param answers the requests that this answers
 * @param whileAlive leases without which it must not be applied
 * @param tombstone whether the id is free and unwanted from now on
 */
public record FencedEvent(
    int shard,
    long epoch,
    Object event,
    @Nullable Object state,
    PublicChange publicChange,
    List<LeaseRef> leases,
    List<Answer> answers,
    List<LeaseRef> whileAlive,
    boolean tombstone) {

  public FencedEvent {
    leases = List.copyOf(leases);
    answers = List.copyOf(answers);
    whileAlive = List.copyOf(whileAlive);
  }

  /** An event that nobody but its own actor learns of. */
  public static FencedEvent of(int shard, long epoch, Object event) {
    return new FencedEvent(
        shard, epoch, event, null, new PublicChange.None(), List.of(), List.of(), List.of(), false);
  }
}
