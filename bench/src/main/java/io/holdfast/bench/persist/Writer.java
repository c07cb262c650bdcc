package io.holdfast.bench.persist;

import akka.actor.typed.Behavior;
import akka.persistence.typed.EventAdapter;
import akka.persistence.typed.PersistenceId;
import akka.persistence.typed.javadsl.CommandHandler;
import akka.persistence.typed.javadsl.Effect;
import akka.persistence.typed.javadsl.EventHandler;
import akka.persistence.typed.javadsl.EventSourcedBehavior;
import io.holdfast.bytes.Bytes;
import io.holdfast.coordination.OwnedShard;
import io.holdfast.journal.HoldfastJournal;
import io.holdfast.journal.HoldfastSnapshots;

/** A persistent actor that writes notes of a fixed size when it has the turn. */
final class Writer extends EventSourcedBehavior<WriterMessage, Note, Tally> {

  private final int index;
  private final Bytes bytes;
  private final OwnedShard owned;

  static Behavior<WriterMessage> create(int index, Bytes bytes, OwnedShard owned) {
    return new Writer(index, bytes, owned);
  }

  private Writer(int index, Bytes bytes, OwnedShard owned) {
    super(PersistenceId.ofUniqueId(id(index)));
    this.index = index;
    this.bytes = bytes;
    this.owned = owned;
  }

  static String id(int index) {
    return "writer/" + index;
  }

  @Override
  public String journalPluginId() {
    return HoldfastJournal.pluginId(owned.shard());
  }

  @Override
  public String snapshotPluginId() {
    return HoldfastSnapshots.PLUGIN_ID;
  }

  @Override
  public EventAdapter<Note, Object> eventAdapter() {
    return new FencedNotes(owned);
  }

  @Override
  public Tally emptyState() {
    return Tally.NONE;
  }

  @Override
  public CommandHandler<WriterMessage, Note, Tally> commandHandler() {
    return this::onMessage;
  }

  @Override
  public EventHandler<Tally, Note> eventHandler() {
    return Tally::with;
  }

  private Effect<Note, Tally> onMessage(Tally state, WriterMessage message) {
    if (message instanceof WriterMessage.Write write) {
      return Effect()
          .persist(new Note(state.notes() + 1, bytes))
          .thenRun(after -> write.turns().confirmed(index, write.askedNanos()));
    } else if (message instanceof WriterMessage.Count count) {
      count.answer().complete(state.notes());
      return Effect().none();
    } else if (message instanceof WriterMessage.Stop stop) {
      return Effect().stop().thenRun(last -> stop.answer().complete(last.notes()));
    }
    throw new AssertionError(message);
  }
}
