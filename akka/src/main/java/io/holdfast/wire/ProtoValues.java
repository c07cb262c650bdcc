package io.holdfast.wire;

import com.google.protobuf.ByteString;
import io.holdfast.id.LeaseId;
import io.holdfast.id.LeaseLife;
import io.holdfast.id.Revision;
import io.holdfast.internal.journal.Grant;
import io.holdfast.internal.journal.HolderName;
import io.holdfast.internal.journal.LeaseName;
import io.holdfast.internal.journal.LifeOf;
import io.holdfast.internal.journal.Place;
import io.holdfast.internal.journal.RequestName;
import io.holdfast.internal.journal.SessionNumber;
import io.holdfast.lease.LeaseTerms;
import io.holdfast.lock.ClientId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.HolderId;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockCommand.LeaveCause;
import io.holdfast.lock.Metadata;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.RequestId;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.WaitTimeout;
import io.holdfast.lock.Waiter;
import java.time.Duration;

/**
 * Translates the values of locks and leases to and from those of {@code internal/journal.proto}.
 */
public final class ProtoValues {

  private ProtoValues() {}

  public static Grant holder(Holder holder) {
    return Grant.newBuilder()
        .setHolder(holderId(holder.id()))
        .setRequest(request(holder.request().id()))
        .setContent(holder.request().content())
        .setToken(holder.token().value())
        .setLife(life(holder.life()))
        .setCount(holder.count())
        .setMetadata(metadata(holder.metadata()))
        .setAgedMs(holder.aged().toMillis())
        .build();
  }

  public static Holder holder(Grant proto) {
    return new Holder(
        holderId(proto.getHolder()),
        new RequestHeader(request(proto.getRequest()), proto.getContent()),
        new FencingToken(proto.getToken()),
        life(proto.getLife()),
        proto.getCount(),
        metadata(proto.getMetadata()),
        Duration.ofMillis(proto.getAgedMs()));
  }

  public static Place waiter(Waiter waiter) {
    return Place.newBuilder()
        .setHolder(holderId(waiter.id()))
        .setRequest(request(waiter.request().id()))
        .setContent(waiter.request().content())
        .setLife(life(waiter.life()))
        .setPatienceMs(waiter.waitTimeout().millis())
        .setMetadata(metadata(waiter.metadata()))
        .setSince(waiter.since())
        .build();
  }

  public static Waiter waiter(Place proto) {
    return new Waiter(
        holderId(proto.getHolder()),
        new RequestHeader(request(proto.getRequest()), proto.getContent()),
        life(proto.getLife()),
        new WaitTimeout(proto.getPatienceMs()),
        metadata(proto.getMetadata()),
        proto.getSince());
  }

  public static RequestName request(RequestId id) {
    RequestName.Builder proto = RequestName.newBuilder().setClient(id.client().value());
    return id.match(
            new RequestId.Cases<RequestName.Builder>() {
              @Override
              public RequestName.Builder named(RequestId.Named named) {
                return proto.setNamed(named.value());
              }

              @Override
              public RequestName.Builder numbered(RequestId.Numbered numbered) {
                return proto.setNumbered(
                    SessionNumber.newBuilder()
                        .setSession(lease(numbered.session()))
                        .setNumber(numbered.number()));
              }

              @Override
              public RequestName.Builder once(RequestId.Once once) {
                return proto.setOnce(once.value());
              }

              @Override
              public RequestName.Builder cancelling(RequestId.Cancelling cancelling) {
                throw new IllegalArgumentException("nobody holds or waits by [" + id + "]");
              }
            })
        .build();
  }

  public static RequestId request(RequestName proto) {
    ClientId client = new ClientId(proto.getClient());
    return switch (proto.getIdCase()) {
      case NAMED -> new RequestId.Named(client, proto.getNamed());
      case NUMBERED ->
          new RequestId.Numbered(
              client, lease(proto.getNumbered().getSession()), proto.getNumbered().getNumber());
      case ONCE -> new RequestId.Once(client, proto.getOnce());
      case ID_NOT_SET -> throw new IllegalArgumentException("a request has no id");
    };
  }

  public static HolderName holderId(HolderId id) {
    LeaseId lease = id.lease();
    return HolderName.newBuilder()
        .setClient(id.client().value())
        .setLease(lease == null ? 0 : lease.value())
        .setValue(id.value())
        .build();
  }

  public static HolderId holderId(HolderName proto) {
    LeaseId lease = proto.getLease() == 0 ? null : new LeaseId(proto.getLease());
    return new HolderId(new ClientId(proto.getClient()), lease, proto.getValue());
  }

  public static LifeOf life(Lifetime life) {
    LifeOf.Builder proto = LifeOf.newBuilder().setTtlMs(life.ttl().millis());
    life.lease().ifPresent(lease -> proto.setLease(lease(lease)));
    return proto.build();
  }

  public static Lifetime life(LifeOf proto) {
    Ttl ttl = new Ttl(proto.getTtlMs());
    return proto.hasLease()
        ? new Lifetime.Shared(lease(proto.getLease()), ttl)
        : new Lifetime.Own(ttl);
  }

  public static LeaseName lease(LeaseLife lease) {
    return LeaseName.newBuilder()
        .setId(lease.id().value())
        .setIncarnation(lease.incarnation().value())
        .build();
  }

  public static LeaseLife lease(LeaseName proto) {
    return LeaseLife.of(new LeaseId(proto.getId()), new Revision(proto.getIncarnation()));
  }

  public static ByteString metadata(Metadata metadata) {
    return metadata.isEmpty() ? ByteString.EMPTY : ByteString.copyFrom(metadata.bytes());
  }

  public static Metadata metadata(ByteString proto) {
    return proto.isEmpty() ? Metadata.NONE : Metadata.of(proto.toByteArray());
  }

  public static io.holdfast.internal.journal.LeaveCause cause(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> io.holdfast.internal.journal.LeaveCause.LEAVE_CAUSE_TIMED_OUT;
      case CANCELLED -> io.holdfast.internal.journal.LeaveCause.LEAVE_CAUSE_CANCELLED;
      case REFUSED -> io.holdfast.internal.journal.LeaveCause.LEAVE_CAUSE_REFUSED;
      case LEASE_ENDED -> io.holdfast.internal.journal.LeaveCause.LEAVE_CAUSE_LEASE_ENDED;
    };
  }

  public static LeaveCause cause(io.holdfast.internal.journal.LeaveCause proto) {
    return switch (proto) {
      case LEAVE_CAUSE_TIMED_OUT -> LeaveCause.TIMED_OUT;
      case LEAVE_CAUSE_CANCELLED -> LeaveCause.CANCELLED;
      case LEAVE_CAUSE_REFUSED -> LeaveCause.REFUSED;
      case LEAVE_CAUSE_LEASE_ENDED -> LeaveCause.LEASE_ENDED;
      case LEAVE_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }

  public static io.holdfast.internal.journal.LeaseTerms terms(LeaseTerms terms) {
    return io.holdfast.internal.journal.LeaseTerms.newBuilder()
        .setTtlMs(terms.ttl().millis())
        .setClient(terms.client().value())
        .setSession(terms.session())
        .build();
  }

  public static LeaseTerms terms(io.holdfast.internal.journal.LeaseTerms proto) {
    return new LeaseTerms(
        new Ttl(proto.getTtlMs()), new ClientId(proto.getClient()), proto.getSession());
  }
}
