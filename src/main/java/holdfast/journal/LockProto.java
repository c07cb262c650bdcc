package holdfast.journal;

import com.google.protobuf.MessageLite;
import holdfast.internal.journal.EndCause;
import holdfast.internal.journal.Grant;
import holdfast.internal.journal.LockForgotten;
import holdfast.internal.journal.LockFreed;
import holdfast.internal.journal.LockGranted;
import holdfast.internal.journal.LockHandedOver;
import holdfast.internal.journal.LockIs;
import holdfast.internal.journal.LockLeft;
import holdfast.internal.journal.LockQueued;
import holdfast.internal.journal.Name;
import holdfast.internal.journal.Place;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockEvent;
import holdfast.lock.LockState;
import holdfast.lock.Patience;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;

/** Translates between the locks' events and {@code internal/journal.proto}. */
final class LockProto {

  private LockProto() {}

  static MessageLite event(LockEvent event) {
    return event.match(
        new LockEvent.Cases<MessageLite>() {
          @Override
          public MessageLite granted(LockEvent.Granted granted) {
            return LockGranted.newBuilder().setGrant(grant(granted.holder())).build();
          }

          @Override
          public MessageLite queued(LockEvent.Queued queued) {
            return LockQueued.newBuilder().setPlace(place(queued.waiter())).build();
          }

          @Override
          public MessageLite left(LockEvent.Left left) {
            return LockLeft.newBuilder()
                .setRequest(name(left.request().client(), left.request().value()))
                .setCause(cause(left.cause()))
                .build();
          }

          @Override
          public MessageLite freed(LockEvent.Freed freed) {
            return LockFreed.newBuilder()
                .setToken(freed.token().value())
                .setCause(cause(freed.cause()))
                .build();
          }

          @Override
          public MessageLite handedOver(LockEvent.HandedOver event) {
            return LockHandedOver.newBuilder()
                .setToken(event.token().value())
                .setCause(cause(event.cause()))
                .setNext(grant(event.next()))
                .build();
          }

          @Override
          public MessageLite forgotten(LockEvent.Forgotten forgotten) {
            return LockForgotten.getDefaultInstance();
          }
        });
  }

  static LockEvent event(LockGranted proto) {
    return new LockEvent.Granted(holder(proto.getGrant()));
  }

  static LockEvent event(LockQueued proto) {
    return new LockEvent.Queued(waiter(proto.getPlace()));
  }

  static LockEvent event(LockLeft proto) {
    return new LockEvent.Left(request(proto.getRequest()), cause(proto.getCause()));
  }

  static LockEvent event(LockFreed proto) {
    return new LockEvent.Freed(new FencingToken(proto.getToken()), cause(proto.getCause()));
  }

  static LockEvent event(LockHandedOver proto) {
    return new LockEvent.HandedOver(
        new FencingToken(proto.getToken()), cause(proto.getCause()), holder(proto.getNext()));
  }

  /** It says nothing more; what was parsed is only known to be no other message's bytes. */
  static LockEvent event(LockForgotten proto) {
    return new LockEvent.Forgotten();
  }

  static LockIs state(LockState state) {
    LockIs.Builder proto = LockIs.newBuilder();
    state.holders().forEach(holder -> proto.addHolders(grant(holder)));
    state.waiters().forEach(waiter -> proto.addLine(place(waiter)));
    return proto.build();
  }

  static LockState state(LockIs proto) {
    return new LockState(
        proto.getHoldersList().stream().map(LockProto::holder).toList(),
        proto.getLineList().stream().map(LockProto::waiter).toList());
  }

  private static Grant grant(Holder holder) {
    return Grant.newBuilder()
        .setHolder(name(holder.id().client(), holder.id().value()))
        .setRequest(name(holder.request().client(), holder.request().value()))
        .setToken(holder.token().value())
        .setTtlMs(holder.ttl().millis())
        .build();
  }

  private static Holder holder(Grant proto) {
    return new Holder(
        holderId(proto.getHolder()),
        request(proto.getRequest()),
        new FencingToken(proto.getToken()),
        new Ttl(proto.getTtlMs()));
  }

  private static Place place(Waiter waiter) {
    return Place.newBuilder()
        .setHolder(name(waiter.id().client(), waiter.id().value()))
        .setRequest(name(waiter.request().client(), waiter.request().value()))
        .setTtlMs(waiter.ttl().millis())
        .setPatienceMs(waiter.patience().millis())
        .build();
  }

  private static Waiter waiter(Place proto) {
    return new Waiter(
        holderId(proto.getHolder()),
        request(proto.getRequest()),
        new Ttl(proto.getTtlMs()),
        new Patience(proto.getPatienceMs()));
  }

  private static Name name(ClientId client, String value) {
    return Name.newBuilder().setClient(client.value()).setValue(value).build();
  }

  private static RequestId request(Name proto) {
    return new RequestId(new ClientId(proto.getClient()), proto.getValue());
  }

  private static HolderId holderId(Name proto) {
    return new HolderId(new ClientId(proto.getClient()), proto.getValue());
  }

  private static LockLeft.Cause cause(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> LockLeft.Cause.CAUSE_TIMED_OUT;
      case CANCELLED -> LockLeft.Cause.CAUSE_CANCELLED;
    };
  }

  private static LeaveCause cause(LockLeft.Cause proto) {
    return switch (proto) {
      case CAUSE_TIMED_OUT -> LeaveCause.TIMED_OUT;
      case CAUSE_CANCELLED -> LeaveCause.CANCELLED;
      case CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }

  private static EndCause cause(LockEvent.EndCause cause) {
    return switch (cause) {
      case RELEASED -> EndCause.END_CAUSE_RELEASED;
      case EXPIRED -> EndCause.END_CAUSE_EXPIRED;
    };
  }

  private static LockEvent.EndCause cause(EndCause proto) {
    return switch (proto) {
      case END_CAUSE_RELEASED -> LockEvent.EndCause.RELEASED;
      case END_CAUSE_EXPIRED -> LockEvent.EndCause.EXPIRED;
      case END_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }
}
