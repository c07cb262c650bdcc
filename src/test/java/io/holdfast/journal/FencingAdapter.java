package io.holdfast.journal;

import akka.persistence.journal.EventAdapter;
import akka.persistence.journal.EventSeq;
import io.holdfast.id.Epoch;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.Draft;

/** Adds the first epoch of the shard to the events of actors that know no epochs. */
public final class FencingAdapter implements EventAdapter {

  static final ShardId SHARD = ShardId.of(3);
  static final long EPOCH = 1;

  @Override
  public String manifest(Object event) {
    return "";
  }

  @Override
  public Object toJournal(Object event) {
    return new FencedEvent<>(
        SHARD, new Epoch(EPOCH), event, event, /* replaces= */ false, Draft.NONE);
  }

  @Override
  public EventSeq fromJournal(Object event, String manifest) {
    return EventSeq.single(event);
  }
}
