package holdfast.journal;

import com.google.protobuf.MessageLite;
import holdfast.internal.journal.End;
import holdfast.internal.journal.EndCause;
import holdfast.internal.journal.LockAged;
import holdfast.internal.journal.LockBarred;
import holdfast.internal.journal.LockForgotten;
import holdfast.internal.journal.LockFreed;
import holdfast.internal.journal.LockGranted;
import holdfast.internal.journal.LockHandedOver;
import holdfast.internal.journal.LockIs;
import holdfast.internal.journal.LockLeft;
import holdfast.internal.journal.LockQueued;
import holdfast.internal.journal.LockReentered;
import holdfast.internal.journal.LockSteppedOut;
import holdfast.lock.Ending;
import holdfast.lock.FencingToken;
import holdfast.lock.LockEvent;
import holdfast.lock.LockState;
import java.time.Duration;

/** Translates between the locks' events and {@code internal/journal.proto}. */
final class LockProto {

  private LockProto() {}

  static MessageLite event(LockEvent event) {
    return event.match(
        new LockEvent.Cases<MessageLite>() {
          @Override
          public MessageLite granted(LockEvent.Granted granted) {
            return LockGranted.newBuilder().setGrant(ProtoValues.holder(granted.holder())).build();
          }

          @Override
          public MessageLite reentered(LockEvent.Reentered reentered) {
            return LockReentered.newBuilder()
                .setToken(reentered.token().value())
                .setCount(reentered.count())
                .build();
          }

          @Override
          public MessageLite steppedOut(LockEvent.SteppedOut steppedOut) {
            return LockSteppedOut.newBuilder()
                .setToken(steppedOut.token().value())
                .setCount(steppedOut.count())
                .build();
          }

          @Override
          public MessageLite aged(LockEvent.Aged aged) {
            return LockAged.newBuilder()
                .setToken(aged.token().value())
                .setAgedMs(aged.aged().toMillis())
                .build();
          }

          @Override
          public MessageLite queued(LockEvent.Queued queued) {
            return LockQueued.newBuilder().setPlace(ProtoValues.waiter(queued.waiter())).build();
          }

          @Override
          public MessageLite left(LockEvent.Left left) {
            return LockLeft.newBuilder()
                .setRequest(ProtoValues.request(left.request()))
                .setCause(ProtoValues.cause(left.cause()))
                .build();
          }

          @Override
          public MessageLite barred(LockEvent.Barred barred) {
            return LockBarred.newBuilder()
                .setRequest(ProtoValues.request(barred.request()))
                .build();
          }

          @Override
          public MessageLite freed(LockEvent.Freed freed) {
            return LockFreed.newBuilder()
                .setToken(freed.token().value())
                .setEnd(ending(freed.ending()))
                .build();
          }

          @Override
          public MessageLite handedOver(LockEvent.HandedOver event) {
            return LockHandedOver.newBuilder()
                .setToken(event.token().value())
                .setEnd(ending(event.ending()))
                .setNext(ProtoValues.holder(event.next()))
                .build();
          }

          @Override
          public MessageLite forgotten(LockEvent.Forgotten forgotten) {
            return LockForgotten.getDefaultInstance();
          }
        });
  }

  static LockEvent event(LockGranted proto) {
    return new LockEvent.Granted(ProtoValues.holder(proto.getGrant()));
  }

  static LockEvent event(LockReentered proto) {
    return new LockEvent.Reentered(new FencingToken(proto.getToken()), proto.getCount());
  }

  static LockEvent event(LockSteppedOut proto) {
    return new LockEvent.SteppedOut(new FencingToken(proto.getToken()), proto.getCount());
  }

  static LockEvent event(LockAged proto) {
    return new LockEvent.Aged(
        new FencingToken(proto.getToken()), Duration.ofMillis(proto.getAgedMs()));
  }

  static LockEvent event(LockQueued proto) {
    return new LockEvent.Queued(ProtoValues.waiter(proto.getPlace()));
  }

  static LockEvent event(LockLeft proto) {
    return new LockEvent.Left(
        ProtoValues.request(proto.getRequest()), ProtoValues.cause(proto.getCause()));
  }

  static LockEvent event(LockBarred proto) {
    return new LockEvent.Barred(ProtoValues.request(proto.getRequest()));
  }

  static LockEvent event(LockFreed proto) {
    return new LockEvent.Freed(new FencingToken(proto.getToken()), ending(proto.getEnd()));
  }

  static LockEvent event(LockHandedOver proto) {
    return new LockEvent.HandedOver(
        new FencingToken(proto.getToken()),
        ending(proto.getEnd()),
        ProtoValues.holder(proto.getNext()));
  }

  /** It says nothing more; what was parsed is only known to be no other message's bytes. */
  static LockEvent event(LockForgotten proto) {
    return new LockEvent.Forgotten();
  }

  static LockIs state(LockState state) {
    LockIs.Builder proto = LockIs.newBuilder();
    state.holders().forEach(holder -> proto.addHolders(ProtoValues.holder(holder)));
    state.waiters().forEach(waiter -> proto.addLine(ProtoValues.waiter(waiter)));
    return proto.build();
  }

  static LockState state(LockIs proto) {
    return new LockState(
        proto.getHoldersList().stream().map(ProtoValues::holder).toList(),
        proto.getLineList().stream().map(ProtoValues::waiter).toList());
  }

  private static End ending(Ending ending) {
    return End.newBuilder()
        .setCause(cause(ending.cause()))
        .setForceReason(ending.forceReason())
        .build();
  }

  private static Ending ending(End proto) {
    return new Ending(cause(proto.getCause()), proto.getForceReason());
  }

  static EndCause cause(Ending.Cause cause) {
    return switch (cause) {
      case RELEASED -> EndCause.END_CAUSE_RELEASED;
      case EXPIRED -> EndCause.END_CAUSE_EXPIRED;
      case LEASE_ENDED -> EndCause.END_CAUSE_LEASE_ENDED;
      case FORCED -> EndCause.END_CAUSE_FORCED;
    };
  }

  static Ending.Cause cause(EndCause proto) {
    return switch (proto) {
      case END_CAUSE_RELEASED -> Ending.Cause.RELEASED;
      case END_CAUSE_EXPIRED -> Ending.Cause.EXPIRED;
      case END_CAUSE_LEASE_ENDED -> Ending.Cause.LEASE_ENDED;
      case END_CAUSE_FORCED -> Ending.Cause.FORCED;
      case END_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }
}
