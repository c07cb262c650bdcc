package io.holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.bytes.Bytes;
import io.holdfast.internal.journal.AnyLeaseEvent;
import io.holdfast.internal.journal.LeaseCause;
import io.holdfast.internal.journal.LeaseEnded;
import io.holdfast.internal.journal.LeaseGranted;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lease.rules.LeaseEvent;
import io.holdfast.lock.RequestHeader;
import io.holdfast.wire.ProtoValues;

/** Translates the leases' events to and from {@code internal/journal.proto}. */
public final class LeaseProto {

  private LeaseProto() {}

  static AnyLeaseEvent event(LeaseEvent event) {
    return event.match(
        new LeaseEvent.Cases<>() {
          @Override
          public AnyLeaseEvent granted(LeaseEvent.Granted granted) {
            return AnyLeaseEvent.newBuilder()
                .setGranted(
                    LeaseGranted.newBuilder()
                        .setTerms(ProtoValues.terms(granted.terms()))
                        .setRequest(ProtoValues.request(granted.request().id()))
                        .setContent(granted.request().content()))
                .build();
          }

          @Override
          public AnyLeaseEvent ended(LeaseEvent.Ended ended) {
            return AnyLeaseEvent.newBuilder()
                .setEnded(LeaseEnded.newBuilder().setCause(cause(ended.cause())))
                .build();
          }
        });
  }

  static LeaseEvent event(AnyLeaseEvent proto) {
    return switch (proto.getEventCase()) {
      case GRANTED ->
          new LeaseEvent.Granted(
              ProtoValues.terms(proto.getGranted().getTerms()),
              new RequestHeader(
                  ProtoValues.request(proto.getGranted().getRequest()),
                  proto.getGranted().getContent()));
      case ENDED -> new LeaseEvent.Ended(cause(proto.getEnded().getCause()));
      case EVENT_NOT_SET -> throw new IllegalArgumentException("no event that is known here");
    };
  }

  private static LeaseCause cause(LeaseEvent.Cause cause) {
    return switch (cause) {
      case EXPIRED -> LeaseCause.LEASE_CAUSE_EXPIRED;
      case REVOKED -> LeaseCause.LEASE_CAUSE_REVOKED;
    };
  }

  private static LeaseEvent.Cause cause(LeaseCause proto) {
    return switch (proto) {
      case LEASE_CAUSE_EXPIRED -> LeaseEvent.Cause.EXPIRED;
      case LEASE_CAUSE_REVOKED -> LeaseEvent.Cause.REVOKED;
      case LEASE_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }

  /** The public record of a lease that is alive. */
  public static Bytes record(LeaseTerms terms) {
    return Bytes.of(ProtoValues.terms(terms).toByteArray());
  }

  /**
   * Reads the public record of a lease.
   *
   * @throws IllegalArgumentException if the bytes are no record of a lease
   */
  public static LeaseTerms terms(Bytes record) {
    try {
      return ProtoValues.terms(io.holdfast.internal.journal.LeaseTerms.parseFrom(record.array()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no record of a lease: " + e.getMessage(), e);
    }
  }
}
