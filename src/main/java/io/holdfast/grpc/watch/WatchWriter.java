package io.holdfast.grpc.watch;

import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.id.Revision;
import io.holdfast.journal.state.PublicRecord;
import io.holdfast.v1.Event;
import io.holdfast.v1.Header;
import io.holdfast.v1.LockRecord;
import io.holdfast.v1.Refusal;
import io.holdfast.v1.WatchResponse;
import io.holdfast.watch.LockChange;
import io.holdfast.watch.WatchAnswer;

/** Translates the messages of watches. */
final class WatchWriter {

  private final AnswerFacts facts;
  private final NodeIdentity identity;
  private final WatchEventTranslator locks;
  private final WatchRefusals refusals;

  WatchWriter(AnswerFacts facts, WatchEventTranslator locks, WatchRefusals refusals) {
    this.facts = facts;
    this.identity = facts.identity();
    this.locks = locks;
    this.refusals = refusals;
  }

  WatchToken tokens(io.holdfast.watch.Selector selector) {
    return new WatchToken(identity.clusterId(), selector);
  }

  WatchResponse created(WatchAnswer.Created created, WatchToken tokens) {
    return response(created)
        .setCreated(true)
        .setResumeToken(tokens.write(created.position()))
        .build();
  }

  WatchResponse events(WatchAnswer.Events events, WatchToken tokens, boolean previous) {
    WatchResponse.Builder response =
        response(events).setResumeToken(tokens.write(events.position()));
    for (LockChange change : events.changes()) {
      response.addEvents(event(change, previous));
    }
    return response.build();
  }

  WatchResponse mark(WatchAnswer.Mark mark, WatchToken tokens) {
    return response(mark).setResumeToken(tokens.write(mark.position())).build();
  }

  /** Translates the end of a watch that had started. */
  WatchResponse ended(WatchAnswer.Ended ended, WatchToken tokens) {
    WatchResponse.Builder response = ended(ended).toBuilder();
    ended.position().ifPresent(position -> response.setResumeToken(tokens.write(position)));
    return response.build();
  }

  /** Translates the refusal of a watch. */
  WatchResponse ended(WatchAnswer.Ended ended) {
    return response(ended)
        .setCanceled(true)
        .setRefusal(refusals.of(ended))
        .setCompactRevision(ended.available())
        .build();
  }

  /** Translates the refusal of an invalid request. */
  WatchResponse refused(long watch, Revision revision, Refusal refusal) {
    return WatchResponse.newBuilder()
        .setHeader(header(revision))
        .setWatchId(watch)
        .setCanceled(true)
        .setRefusal(refusal)
        .build();
  }

  private Event event(LockChange change, boolean previous) {
    WatchEventTranslator.EventCause cause = locks.cause(change);
    Event.Builder event =
        Event.newBuilder()
            .setCause(cause.cause())
            .setEndCause(cause.endCause())
            .setForceReason(cause.forceReason())
            .setPrincipal(cause.principal());
    PublicRecord after = change.change().after();
    if (after == null) {
      event
          .setType(Event.Type.TYPE_DELETE)
          .setLock(
              LockRecord.newBuilder()
                  .setKey(change.key())
                  .setModRevision(change.revision().value()));
    } else {
      event.setType(Event.Type.TYPE_PUT).setLock(locks.record(change.key(), after));
    }
    PublicRecord before = change.change().before();
    if (previous && before != null) {
      event.setPrevLock(locks.record(change.key(), before));
    }
    return event.build();
  }

  private WatchResponse.Builder response(WatchAnswer answer) {
    return WatchResponse.newBuilder()
        .setHeader(header(answer.revision()))
        .setWatchId(answer.watch());
  }

  private Header header(Revision revision) {
    return Header.newBuilder()
        .setClusterId(identity.clusterId())
        .setMemberId(identity.memberId())
        .setRevision(revision.value())
        .setRaftTerm(facts.term())
        .build();
  }
}
