package holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import holdfast.internal.journal.LeaseCause;
import holdfast.internal.journal.LeaseEnded;
import holdfast.internal.journal.LeaseGranted;
import holdfast.journal.state.Bytes;
import holdfast.lease.LeaseEvent;
import holdfast.lease.LeaseTerms;
import holdfast.lock.ClientId;
import holdfast.lock.Request;
import holdfast.lock.Ttl;

/** Translates between the leases' events and {@code internal/journal.proto}. */
public final class LeaseProto {

  private LeaseProto() {}

  static LeaseGranted granted(LeaseEvent.Granted event) {
    return LeaseGranted.newBuilder()
        .setTerms(terms(event.terms()))
        .setRequest(ProtoValues.request(event.request().id()))
        .setContent(event.request().content())
        .build();
  }

  static LeaseEnded ended(LeaseEvent.Ended event) {
    return LeaseEnded.newBuilder()
        .setCause(
            switch (event.cause()) {
              case EXPIRED -> LeaseCause.LEASE_CAUSE_EXPIRED;
              case REVOKED -> LeaseCause.LEASE_CAUSE_REVOKED;
            })
        .build();
  }

  static LeaseEvent event(LeaseGranted proto) {
    return new LeaseEvent.Granted(
        terms(proto.getTerms()),
        new Request(ProtoValues.request(proto.getRequest()), proto.getContent()));
  }

  static LeaseEvent event(LeaseEnded proto) {
    return new LeaseEvent.Ended(
        switch (proto.getCause()) {
          case LEASE_CAUSE_EXPIRED -> LeaseEvent.Cause.EXPIRED;
          case LEASE_CAUSE_REVOKED -> LeaseEvent.Cause.REVOKED;
          case LEASE_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
              throw new IllegalArgumentException("no cause that is known here");
        });
  }

  public static holdfast.internal.journal.LeaseTerms terms(LeaseTerms terms) {
    return holdfast.internal.journal.LeaseTerms.newBuilder()
        .setTtlMs(terms.ttl().millis())
        .setClient(terms.client().value())
        .setSession(terms.session())
        .build();
  }

  public static LeaseTerms terms(holdfast.internal.journal.LeaseTerms proto) {
    return new LeaseTerms(
        new Ttl(proto.getTtlMs()), new ClientId(proto.getClient()), proto.getSession());
  }

  /** The public record of a lease that is alive. */
  public static Bytes record(LeaseTerms terms) {
    return Bytes.of(terms(terms).toByteArray());
  }

  /**
   * Reads the public record of a lease.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static LeaseTerms terms(Bytes record) {
    try {
      return terms(holdfast.internal.journal.LeaseTerms.parseFrom(record.array()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no record of a lease: " + e.getMessage(), e);
    }
  }
}
