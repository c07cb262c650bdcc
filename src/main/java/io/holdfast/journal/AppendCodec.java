package io.holdfast.journal;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.holdfast.bytes.Bytes;
import io.holdfast.id.Epoch;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.PersistenceId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.journal.state.AnsweredRequest;
import io.holdfast.journal.state.Append;
import io.holdfast.journal.state.AppendId;
import io.holdfast.journal.state.Draft;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Need;
import io.holdfast.journal.state.PublicChange;
import io.holdfast.journal.state.RequestKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Translates appends to and from {@code internal/journal_log.proto}. */
final class AppendCodec {

  private AppendCodec() {}

  static io.holdfast.internal.journal.Append proto(Append append) {
    Draft draft = append.draft();
    io.holdfast.internal.journal.Append.Builder proto =
        io.holdfast.internal.journal.Append.newBuilder()
            .setId(proto(append.id()))
            .setPersistenceId(append.persistenceId().value())
            .setSequenceNr(append.sequenceNr())
            .setEvent(bytes(append.event()))
            .setTombstone(draft.tombstone())
            .setForgetBefore(draft.forgetBefore())
            .setNeed(need(draft.need()))
            .setWaiters(draft.waiters());
    Bytes state = append.state();
    if (state != null) {
      proto.setState(bytes(state));
    }
    for (PublicChange change : draft.changes()) {
      proto.addChanges(ChangeCodec.proto(change));
    }
    LeaseChange leaseChange = draft.leaseChange();
    if (leaseChange != null) {
      proto.setLeaseChange(ChangeCodec.proto(leaseChange));
    }
    for (LeaseLife lease : draft.attach()) {
      proto.addAttach(proto(lease));
    }
    for (LeaseLife lease : draft.detach()) {
      proto.addDetach(proto(lease));
    }
    for (AnsweredRequest answer : draft.answers()) {
      proto.addAnswers(proto(answer));
    }
    for (LeaseLife lease : draft.whileAlive()) {
      proto.addWhileAlive(proto(lease));
    }
    return proto.build();
  }

  static Append append(io.holdfast.internal.journal.Append proto) {
    return new Append(
        appendId(proto.getId()),
        new PersistenceId(proto.getPersistenceId()),
        proto.getSequenceNr(),
        bytes(proto.getEvent()),
        proto.hasState() ? bytes(proto.getState()) : null,
        draft(proto));
  }

  private static Draft draft(io.holdfast.internal.journal.Append proto) {
    return new Draft(
        each(proto.getChangesList(), ChangeCodec::change),
        proto.hasLeaseChange() ? ChangeCodec.change(proto.getLeaseChange()) : null,
        each(proto.getAttachList(), AppendCodec::lease),
        each(proto.getDetachList(), AppendCodec::lease),
        each(proto.getAnswersList(), AppendCodec::answer),
        each(proto.getWhileAliveList(), AppendCodec::lease),
        proto.getTombstone(),
        proto.getForgetBefore(),
        need(proto.getNeed()),
        proto.getWaiters());
  }

  private static io.holdfast.internal.journal.Append.Need need(Need need) {
    return switch (need) {
      case NOTHING -> io.holdfast.internal.journal.Append.Need.NEED_NOTHING;
      case RESERVE -> io.holdfast.internal.journal.Append.Need.NEED_RESERVE;
      case ROOM -> io.holdfast.internal.journal.Append.Need.NEED_ROOM;
    };
  }

  private static Need need(io.holdfast.internal.journal.Append.Need proto) {
    return switch (proto) {
      case NEED_NOTHING -> Need.NOTHING;
      case NEED_RESERVE -> Need.RESERVE;
      case NEED_ROOM -> Need.ROOM;
      case UNRECOGNIZED -> throw new IllegalArgumentException("no need that is known here");
    };
  }

  /** Most lists are empty or have one element, and there are many. */
  static <A, B> List<B> each(List<A> all, Function<A, B> translated) {
    if (all.isEmpty()) {
      return List.of();
    } else if (all.size() == 1) {
      return List.of(translated.apply(all.get(0)));
    }
    List<B> list = new ArrayList<>(all.size());
    for (A one : all) {
      list.add(translated.apply(one));
    }
    return list;
  }

  private static io.holdfast.internal.journal.Answer proto(AnsweredRequest answer) {
    io.holdfast.internal.journal.Answer.Builder proto =
        io.holdfast.internal.journal.Answer.newBuilder().setOutcome(bytes(answer.outcome()));
    RequestKey request = answer.request();
    if (request instanceof RequestKey.Numbered numbered) {
      proto
          .getNumberedBuilder()
          .setLease(proto(numbered.lease()))
          .setNumber(numbered.number())
          .setLowestOpen(numbered.lowestOpen());
    } else if (request instanceof RequestKey.Named named) {
      proto.getNamedBuilder().setClient(named.client()).setId(named.id());
    } else {
      throw new AssertionError(request);
    }
    return proto.build();
  }

  private static AnsweredRequest answer(io.holdfast.internal.journal.Answer proto) {
    RequestKey request =
        switch (proto.getRequestCase()) {
          case NUMBERED ->
              new RequestKey.Numbered(
                  lease(proto.getNumbered().getLease()),
                  proto.getNumbered().getNumber(),
                  proto.getNumbered().getLowestOpen());
          case NAMED ->
              new RequestKey.Named(proto.getNamed().getClient(), proto.getNamed().getId());
          case REQUEST_NOT_SET ->
              throw new IllegalArgumentException("no request that is known here");
        };
    return new AnsweredRequest(request, bytes(proto.getOutcome()));
  }

  static io.holdfast.internal.journal.AppendId proto(AppendId appendId) {
    return io.holdfast.internal.journal.AppendId.newBuilder()
        .setShard(appendId.shard().value())
        .setEpoch(appendId.epoch().value())
        .setNumber(appendId.number())
        .build();
  }

  static AppendId appendId(io.holdfast.internal.journal.AppendId proto) {
    return new AppendId(
        ShardId.of(proto.getShard()), new Epoch(proto.getEpoch()), proto.getNumber());
  }

  static io.holdfast.internal.journal.LeaseRef proto(LeaseLife lease) {
    return io.holdfast.internal.journal.LeaseRef.newBuilder()
        .setId(lease.id().value())
        .setIncarnation(lease.incarnation().value())
        .build();
  }

  static LeaseLife lease(io.holdfast.internal.journal.LeaseRef proto) {
    return LeaseLife.of(new LeaseId(proto.getId()), new Revision(proto.getIncarnation()));
  }

  static ByteString bytes(Bytes bytes) {
    return UnsafeByteOperations.unsafeWrap(bytes.array());
  }

  static Bytes bytes(ByteString bytes) {
    return Bytes.of(bytes.toByteArray());
  }
}
