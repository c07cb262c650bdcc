package io.holdfast.journal;

import io.holdfast.internal.journal.AnyLockEvent;
import io.holdfast.internal.journal.End;
import io.holdfast.internal.journal.EndCause;
import io.holdfast.internal.journal.LockAged;
import io.holdfast.internal.journal.LockBarred;
import io.holdfast.internal.journal.LockEventList;
import io.holdfast.internal.journal.LockForgotten;
import io.holdfast.internal.journal.LockFreed;
import io.holdfast.internal.journal.LockGranted;
import io.holdfast.internal.journal.LockHandedOver;
import io.holdfast.internal.journal.LockIs;
import io.holdfast.internal.journal.LockLeft;
import io.holdfast.internal.journal.LockQueued;
import io.holdfast.internal.journal.LockReentered;
import io.holdfast.internal.journal.LockSteppedOut;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.rules.GrantEnding;
import io.holdfast.lock.rules.LockEvent;
import io.holdfast.lock.rules.LockState;
import io.holdfast.wire.ProtoValues;
import java.time.Duration;
import java.util.List;

/** Translates the locks' events to and from {@code internal/journal.proto}. */
final class LockProto {

  private LockProto() {}

  static LockEventList events(List<LockEvent> events) {
    LockEventList.Builder list = LockEventList.newBuilder();
    events.forEach(event -> list.addEvents(event.match(PROTO)));
    return list.build();
  }

  static List<LockEvent> events(LockEventList list) {
    return list.getEventsList().stream().map(LockProto::event).toList();
  }

  private static final LockEvent.Cases<AnyLockEvent.Builder> PROTO =
      new LockEvent.Cases<>() {
        @Override
        public AnyLockEvent.Builder granted(LockEvent.Granted granted) {
          return AnyLockEvent.newBuilder()
              .setGranted(LockGranted.newBuilder().setGrant(ProtoValues.holder(granted.holder())));
        }

        @Override
        public AnyLockEvent.Builder reentered(LockEvent.Reentered reentered) {
          return AnyLockEvent.newBuilder()
              .setReentered(
                  LockReentered.newBuilder()
                      .setToken(reentered.token().value())
                      .setCount(reentered.count()));
        }

        @Override
        public AnyLockEvent.Builder steppedOut(LockEvent.SteppedOut steppedOut) {
          return AnyLockEvent.newBuilder()
              .setSteppedOut(
                  LockSteppedOut.newBuilder()
                      .setToken(steppedOut.token().value())
                      .setCount(steppedOut.count()));
        }

        @Override
        public AnyLockEvent.Builder aged(LockEvent.Aged aged) {
          return AnyLockEvent.newBuilder()
              .setAged(
                  LockAged.newBuilder()
                      .setToken(aged.token().value())
                      .setAgedMs(aged.aged().toMillis()));
        }

        @Override
        public AnyLockEvent.Builder queued(LockEvent.Queued queued) {
          return AnyLockEvent.newBuilder()
              .setQueued(LockQueued.newBuilder().setPlace(ProtoValues.waiter(queued.waiter())));
        }

        @Override
        public AnyLockEvent.Builder left(LockEvent.Left left) {
          return AnyLockEvent.newBuilder()
              .setLeft(
                  LockLeft.newBuilder()
                      .setRequest(ProtoValues.request(left.request()))
                      .setCause(ProtoValues.cause(left.cause())));
        }

        @Override
        public AnyLockEvent.Builder barred(LockEvent.Barred barred) {
          return AnyLockEvent.newBuilder()
              .setBarred(LockBarred.newBuilder().setRequest(ProtoValues.request(barred.request())));
        }

        @Override
        public AnyLockEvent.Builder freed(LockEvent.Freed freed) {
          return AnyLockEvent.newBuilder()
              .setFreed(
                  LockFreed.newBuilder()
                      .setToken(freed.token().value())
                      .setEnd(ending(freed.ending())));
        }

        @Override
        public AnyLockEvent.Builder handedOver(LockEvent.HandedOver event) {
          return AnyLockEvent.newBuilder()
              .setHandedOver(
                  LockHandedOver.newBuilder()
                      .setToken(event.token().value())
                      .setEnd(ending(event.ending()))
                      .setNext(ProtoValues.holder(event.next())));
        }

        @Override
        public AnyLockEvent.Builder forgotten(LockEvent.Forgotten forgotten) {
          return AnyLockEvent.newBuilder().setForgotten(LockForgotten.getDefaultInstance());
        }
      };

  private static LockEvent event(AnyLockEvent proto) {
    return switch (proto.getEventCase()) {
      case GRANTED -> new LockEvent.Granted(ProtoValues.holder(proto.getGranted().getGrant()));
      case REENTERED ->
          new LockEvent.Reentered(
              new FencingToken(proto.getReentered().getToken()), proto.getReentered().getCount());
      case STEPPED_OUT ->
          new LockEvent.SteppedOut(
              new FencingToken(proto.getSteppedOut().getToken()), proto.getSteppedOut().getCount());
      case AGED ->
          new LockEvent.Aged(
              new FencingToken(proto.getAged().getToken()),
              Duration.ofMillis(proto.getAged().getAgedMs()));
      case QUEUED -> new LockEvent.Queued(ProtoValues.waiter(proto.getQueued().getPlace()));
      case LEFT ->
          new LockEvent.Left(
              ProtoValues.request(proto.getLeft().getRequest()),
              ProtoValues.cause(proto.getLeft().getCause()));
      case BARRED -> new LockEvent.Barred(ProtoValues.request(proto.getBarred().getRequest()));
      case FREED ->
          new LockEvent.Freed(
              new FencingToken(proto.getFreed().getToken()), ending(proto.getFreed().getEnd()));
      case HANDED_OVER ->
          new LockEvent.HandedOver(
              new FencingToken(proto.getHandedOver().getToken()),
              ending(proto.getHandedOver().getEnd()),
              ProtoValues.holder(proto.getHandedOver().getNext()));
      case FORGOTTEN -> new LockEvent.Forgotten();
      case EVENT_NOT_SET -> throw new IllegalArgumentException("no event that is known here");
    };
  }

  static LockIs state(LockState state) {
    LockIs.Builder proto = LockIs.newBuilder();
    state.holders().forEach(holder -> proto.addHolders(ProtoValues.holder(holder)));
    state.waiters().forEach(waiter -> proto.addQueue(ProtoValues.waiter(waiter)));
    return proto.build();
  }

  static LockState state(LockIs proto) {
    return new LockState(
        proto.getHoldersList().stream().map(ProtoValues::holder).toList(),
        proto.getQueueList().stream().map(ProtoValues::waiter).toList());
  }

  private static End ending(GrantEnding ending) {
    return End.newBuilder()
        .setCause(cause(ending.cause()))
        .setForceReason(ending.forceReason())
        .build();
  }

  private static GrantEnding ending(End proto) {
    return new GrantEnding(cause(proto.getCause()), proto.getForceReason());
  }

  static EndCause cause(GrantEnding.Cause cause) {
    return switch (cause) {
      case RELEASED -> EndCause.END_CAUSE_RELEASED;
      case EXPIRED -> EndCause.END_CAUSE_EXPIRED;
      case LEASE_ENDED -> EndCause.END_CAUSE_LEASE_ENDED;
      case FORCED -> EndCause.END_CAUSE_FORCED;
    };
  }

  static GrantEnding.Cause cause(EndCause proto) {
    return switch (proto) {
      case END_CAUSE_RELEASED -> GrantEnding.Cause.RELEASED;
      case END_CAUSE_EXPIRED -> GrantEnding.Cause.EXPIRED;
      case END_CAUSE_LEASE_ENDED -> GrantEnding.Cause.LEASE_ENDED;
      case END_CAUSE_FORCED -> GrantEnding.Cause.FORCED;
      case END_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }
}
