package io.holdfast.journal;

import io.holdfast.id.Epoch;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * One decision of an actor on its way to the journal: its event, the epoch under which the actor
 * was created, and all that must become true with the event.
 *
 * <p>The epoch is read once, when the actor is created, and never looked up for a write: an actor
 * that outlives its shard's epoch must not use the next one.
 *
 * @param <S> the actor's state
 */
public final class FencedEvent<S> implements PersistedEvent<S> {

  private final ShardId shard;
  private final Epoch epoch;
  private final Object event;
  private final S after;
  private final boolean replaces;
  private final Draft draft;

  /*
   * Akka tells an actor that its event is written, and has no room for more. But the event that it
   * hands to the journal is this very object, so the verdict is left here. The field is plain: it
   * is set before the journal answers, and read after the message that says so has come.
   */
  private Verdict.@Nullable Applied applied;

  /**
   * A decision under this epoch.
   *
   * @param event the event to keep and to replay
   * @param after the state after it
   * @param replaces true if the journal keeps that state in place of the history
   */
  public FencedEvent(
      ShardId shard, Epoch epoch, Object event, S after, boolean replaces, Draft draft) {
    this.shard = shard;
    this.epoch = epoch;
    this.event = event;
    this.after = after;
    this.replaces = replaces;
    this.draft = draft;
  }

  public ShardId shard() {
    return shard;
  }

  public Epoch epoch() {
    return epoch;
  }

  Object event() {
    return event;
  }

  /** The state, if the journal keeps it in place of the history; else null. */
  @Nullable S state() {
    return replaces ? after : null;
  }

  Draft draft() {
    return draft;
  }

  /** The state that the decision led to. No event is applied again. */
  @Override
  public S after(S before) {
    return after;
  }

  void applied(Verdict.Applied verdict) {
    applied = verdict;
  }

  /** The journal's verdict. Only known once the event is persisted. */
  public Verdict.Applied applied() {
    if (applied == null) {
      throw new IllegalStateException("it is not persisted");
    }
    return applied;
  }

  /** The revision after one of its public changes. Only known once the event is persisted. */
  public Revision revision(int change) {
    return draft.revision(change, applied().revision());
  }
}
