package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builder of appends: starts with one event and no consequences. */
final class AppendBuilder {

  static final Bytes NOTE = Bytes.of("note");

  private final AppendId appendId;
  private final String id;
  private final long sequenceNr;
  private final Bytes event;
  private final List<AnsweredRequest> answers = new ArrayList<>();
  private @Nullable Bytes state;
  private final List<PublicChange> changes = new ArrayList<>();
  private @Nullable LeaseChange leaseChange;
  private long forgetBefore;
  private List<LeaseLife> attach = List.of();
  private List<LeaseLife> detach = List.of();
  private List<LeaseLife> whileAlive = List.of();
  private boolean tombstone;
  private Need need = Need.NOTHING;
  private int waiters;

  private AppendBuilder(AppendId appendId, String id, long sequenceNr, String event) {
    this.appendId = appendId;
    this.id = id;
    this.sequenceNr = sequenceNr;
    this.event = Bytes.of(event);
  }

  static AppendBuilder of(AppendId appendId, String id, long sequenceNr, String event) {
    return new AppendBuilder(appendId, id, sequenceNr, event);
  }

  AppendBuilder state(String content) {
    state = Bytes.of(content);
    return this;
  }

  /** Adds a public change: a record of one part. */
  AppendBuilder shows(String content) {
    return shows(Part.of(Bytes.of(content)));
  }

  AppendBuilder shows(Part... parts) {
    return changes(new PublicChange.Set(List.of(parts), NOTE));
  }

  AppendBuilder showsNothing() {
    return changes(new PublicChange.Absent(NOTE));
  }

  private AppendBuilder changes(PublicChange change) {
    changes.add(change);
    return this;
  }

  AppendBuilder begins(long lease) {
    leaseChange = new LeaseChange.Begins(new LeaseId(lease));
    return this;
  }

  AppendBuilder ends(LeaseLife lease) {
    leaseChange = new LeaseChange.Ends(lease);
    return showsNothing();
  }

  AppendBuilder forgetBefore(long order) {
    forgetBefore = order;
    return this;
  }

  AppendBuilder attaches(LeaseLife... attached) {
    attach = List.of(attached);
    return this;
  }

  AppendBuilder attaches(List<LeaseLife> attached) {
    attach = attached;
    return this;
  }

  AppendBuilder detaches(LeaseLife... detached) {
    detach = List.of(detached);
    return this;
  }

  AppendBuilder detaches(List<LeaseLife> detached) {
    detach = detached;
    return this;
  }

  AppendBuilder whileAlive(LeaseLife... needed) {
    whileAlive = List.of(needed);
    return this;
  }

  AppendBuilder answers(RequestKey request, String outcome) {
    answers.add(new AnsweredRequest(request, Bytes.of(outcome)));
    return this;
  }

  AppendBuilder tombstone() {
    tombstone = true;
    boolean isAbsent =
        !changes.isEmpty() && changes.get(changes.size() - 1) instanceof PublicChange.Absent;
    return isAbsent ? this : showsNothing();
  }

  AppendBuilder needs(Need room) {
    need = room;
    return this;
  }

  AppendBuilder waiters(int wait) {
    waiters = wait;
    return this;
  }

  Append done() {
    return new Append(
        appendId,
        new PersistenceId(id),
        sequenceNr,
        event,
        state,
        new Draft(
            changes,
            leaseChange,
            attach,
            detach,
            answers,
            whileAlive,
            tombstone,
            forgetBefore,
            need,
            waiters));
  }
}
