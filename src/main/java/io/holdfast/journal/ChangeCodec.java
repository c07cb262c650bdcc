package io.holdfast.journal;

import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.internal.journal.Absent;
import io.holdfast.internal.journal.Record;
import io.holdfast.journal.state.LeaseChange;
import io.holdfast.journal.state.Part;
import io.holdfast.journal.state.PublicChange;

/** Translates changes of records and leases to and from {@code internal/journal_log.proto}. */
final class ChangeCodec {

  private ChangeCodec() {}

  static io.holdfast.internal.journal.PublicChange proto(PublicChange change) {
    io.holdfast.internal.journal.PublicChange.Builder proto =
        io.holdfast.internal.journal.PublicChange.newBuilder();
    if (change instanceof PublicChange.Set set) {
      Record.Builder record = Record.newBuilder().setNote(AppendCodec.bytes(set.note()));
      set.parts().forEach(part -> record.addParts(proto(part)));
      proto.setSet(record);
    } else if (change instanceof PublicChange.Absent absent) {
      proto.setAbsent(Absent.newBuilder().setNote(AppendCodec.bytes(absent.note())));
    } else {
      throw new AssertionError(change);
    }
    return proto.build();
  }

  static PublicChange change(io.holdfast.internal.journal.PublicChange proto) {
    return switch (proto.getChangeCase()) {
      case SET ->
          new PublicChange.Set(
              AppendCodec.each(proto.getSet().getPartsList(), ChangeCodec::part),
              AppendCodec.bytes(proto.getSet().getNote()));
      case ABSENT -> new PublicChange.Absent(AppendCodec.bytes(proto.getAbsent().getNote()));
      case CHANGE_NOT_SET ->
          throw new IllegalArgumentException("no public change that is known here");
    };
  }

  private static io.holdfast.internal.journal.Part proto(Part part) {
    io.holdfast.internal.journal.Part.Builder proto =
        io.holdfast.internal.journal.Part.newBuilder()
            .setContent(AppendCodec.bytes(part.content()));
    LeaseLife lease = part.lease();
    if (lease != null) {
      proto.setLease(AppendCodec.proto(lease));
    }
    return proto.build();
  }

  private static Part part(io.holdfast.internal.journal.Part proto) {
    return new Part(
        AppendCodec.bytes(proto.getContent()),
        proto.hasLease() ? AppendCodec.lease(proto.getLease()) : null);
  }

  static io.holdfast.internal.journal.LeaseChange proto(LeaseChange change) {
    io.holdfast.internal.journal.LeaseChange.Builder proto =
        io.holdfast.internal.journal.LeaseChange.newBuilder();
    if (change instanceof LeaseChange.Begins begins) {
      return proto.setBegins(begins.id().value()).build();
    } else if (change instanceof LeaseChange.Ends ends) {
      return proto.setEnds(AppendCodec.proto(ends.lease())).build();
    }
    throw new AssertionError(change);
  }

  static LeaseChange change(io.holdfast.internal.journal.LeaseChange proto) {
    return switch (proto.getChangeCase()) {
      case BEGINS -> new LeaseChange.Begins(new LeaseId(proto.getBegins()));
      case ENDS -> new LeaseChange.Ends(AppendCodec.lease(proto.getEnds()));
      case CHANGE_NOT_SET ->
          throw new IllegalArgumentException("no change of a lease that is known here");
    };
  }
}
