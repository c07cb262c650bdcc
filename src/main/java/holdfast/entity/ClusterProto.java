package holdfast.entity;

import holdfast.internal.cluster.LockAcquire;
import holdfast.internal.cluster.LockHandle;
import holdfast.internal.cluster.LockHolder;
import holdfast.internal.cluster.LockLeave;
import holdfast.internal.cluster.LockOutcome;
import holdfast.internal.cluster.LockRelease;
import holdfast.internal.cluster.LockSnapshot;
import holdfast.internal.cluster.LockWaiter;
import holdfast.internal.cluster.ScopedId;
import holdfast.lock.ClientId;
import holdfast.lock.FencingToken;
import holdfast.lock.Holder;
import holdfast.lock.HolderId;
import holdfast.lock.LockCommand;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Outcome.Manner;
import holdfast.lock.Patience;
import holdfast.lock.Refusal;
import holdfast.lock.RequestId;
import holdfast.lock.Ttl;
import holdfast.lock.Waiter;

/** Translates between the locks' own values and {@code internal/cluster.proto}. */
final class ClusterProto {

  private ClusterProto() {}

  static LockHandle handle(LockCommand command, String replyTo) {
    LockHandle.Builder handle = LockHandle.newBuilder().setReplyTo(replyTo);
    return command.match(
        new LockCommand.Cases<>() {
          @Override
          public LockHandle acquire(LockCommand.Acquire acquire) {
            return handle
                .setAcquire(
                    LockAcquire.newBuilder()
                        .setRequest(request(acquire.request()))
                        .setHolder(holderId(acquire.holder()))
                        .setTtlMs(acquire.ttl().millis())
                        .setPatienceMs(acquire.patience().millis()))
                .build();
          }

          @Override
          public LockHandle release(LockCommand.Release release) {
            return handle
                .setRelease(LockRelease.newBuilder().setToken(release.token().value()))
                .build();
          }

          @Override
          public LockHandle expire(LockCommand.Expire expire) {
            throw new IllegalArgumentException("an expiry never leaves its node [" + expire + "]");
          }

          @Override
          public LockHandle leave(LockCommand.Leave leave) {
            return handle
                .setLeave(
                    LockLeave.newBuilder()
                        .setRequest(request(leave.request()))
                        .setCause(cause(leave.cause())))
                .build();
          }
        });
  }

  static LockCommand command(LockHandle handle) {
    return switch (handle.getCommandCase()) {
      case ACQUIRE -> {
        LockAcquire acquire = handle.getAcquire();
        yield new LockCommand.Acquire(
            request(acquire.getRequest()),
            holderId(acquire.getHolder()),
            new Ttl(acquire.getTtlMs()),
            new Patience(acquire.getPatienceMs()));
      }
      case RELEASE -> new LockCommand.Release(new FencingToken(handle.getRelease().getToken()));
      case LEAVE ->
          new LockCommand.Leave(
              request(handle.getLeave().getRequest()), cause(handle.getLeave().getCause()));
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("no command that is known here");
    };
  }

  static LockOutcome outcome(Outcome outcome) {
    LockOutcome.Builder proto = LockOutcome.newBuilder();
    return outcome
        .match(
            new Outcome.Cases<LockOutcome.Builder>() {
              @Override
              public LockOutcome.Builder acquired(Outcome.Acquired acquired) {
                return proto.setAcquired(
                    LockOutcome.Acquired.newBuilder()
                        .setHolder(holder(acquired.holder()))
                        .setManner(manner(acquired.manner())));
              }

              @Override
              public LockOutcome.Builder waiting(Outcome.Waiting waiting) {
                return proto.setWaiting(
                    LockOutcome.Waiting.newBuilder()
                        .setRequest(request(waiting.request()))
                        .setPosition(waiting.position()));
              }

              @Override
              public LockOutcome.Builder released(Outcome.Released released) {
                return proto.setReleased(
                    LockOutcome.Released.newBuilder().setToken(released.token().value()));
              }

              @Override
              public LockOutcome.Builder withdrawn(Outcome.Withdrawn withdrawn) {
                return proto.setWithdrawn(
                    LockOutcome.Withdrawn.newBuilder().setRequest(request(withdrawn.request())));
              }

              @Override
              public LockOutcome.Builder refused(Outcome.Refused refused) {
                return refusal(proto, refused.refusal());
              }
            })
        .build();
  }

  static Outcome outcome(LockOutcome proto) {
    return switch (proto.getOutcomeCase()) {
      case ACQUIRED ->
          new Outcome.Acquired(
              holder(proto.getAcquired().getHolder()), manner(proto.getAcquired().getManner()));
      case WAITING ->
          new Outcome.Waiting(
              request(proto.getWaiting().getRequest()), proto.getWaiting().getPosition());
      case RELEASED -> new Outcome.Released(new FencingToken(proto.getReleased().getToken()));
      case WITHDRAWN -> new Outcome.Withdrawn(request(proto.getWithdrawn().getRequest()));
      case HELD -> refused(new Refusal.Held(holder(proto.getHeld())));
      case QUEUE_FULL -> refused(new Refusal.QueueFull(proto.getQueueFull()));
      case NOT_HOLDER -> refused(new Refusal.NotHolder(new FencingToken(proto.getNotHolder())));
      case NOT_WAITING -> refused(new Refusal.NotWaiting(request(proto.getNotWaiting())));
      case REQUEST_REUSED -> refused(new Refusal.RequestReused(request(proto.getRequestReused())));
      case LEFT_LINE -> {
        LockOutcome.LeftLine left = proto.getLeftLine();
        yield refused(
            new Refusal.LeftLine(
                request(left.getRequest()),
                cause(left.getCause()),
                left.getPosition(),
                holder(left.getHolder())));
      }
      case NO_TOKEN -> refused(new Refusal.NoToken());
      case OUTCOME_NOT_SET -> throw new IllegalArgumentException("no outcome that is known here");
    };
  }

  static LockSnapshot state(LockState state) {
    LockSnapshot.Builder proto = LockSnapshot.newBuilder();
    state.holders().forEach(holder -> proto.addHolders(holder(holder)));
    state.waiters().forEach(waiter -> proto.addWaiters(waiter(waiter)));
    return proto.build();
  }

  static LockState state(LockSnapshot proto) {
    return new LockState(
        proto.getHoldersList().stream().map(ClusterProto::holder).toList(),
        proto.getWaitersList().stream().map(ClusterProto::waiter).toList());
  }

  private static LockOutcome.Builder refusal(LockOutcome.Builder proto, Refusal refusal) {
    return refusal.match(
        new Refusal.Cases<>() {
          @Override
          public LockOutcome.Builder held(Refusal.Held held) {
            return proto.setHeld(holder(held.holder()));
          }

          @Override
          public LockOutcome.Builder queueFull(Refusal.QueueFull queueFull) {
            return proto.setQueueFull(queueFull.max());
          }

          @Override
          public LockOutcome.Builder notHolder(Refusal.NotHolder notHolder) {
            return proto.setNotHolder(notHolder.token().value());
          }

          @Override
          public LockOutcome.Builder notWaiting(Refusal.NotWaiting notWaiting) {
            return proto.setNotWaiting(request(notWaiting.request()));
          }

          @Override
          public LockOutcome.Builder requestReused(Refusal.RequestReused reused) {
            return proto.setRequestReused(request(reused.request()));
          }

          @Override
          public LockOutcome.Builder leftLine(Refusal.LeftLine left) {
            return proto.setLeftLine(
                LockOutcome.LeftLine.newBuilder()
                    .setRequest(request(left.request()))
                    .setCause(cause(left.cause()))
                    .setPosition(left.position())
                    .setHolder(holder(left.holder())));
          }

          @Override
          public LockOutcome.Builder noToken(Refusal.NoToken noToken) {
            return proto.setNoToken(LockOutcome.NoToken.getDefaultInstance());
          }
        });
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  private static LockHolder holder(Holder holder) {
    return LockHolder.newBuilder()
        .setId(holderId(holder.id()))
        .setRequest(request(holder.request()))
        .setToken(holder.token().value())
        .setTtlMs(holder.ttl().millis())
        .build();
  }

  private static Holder holder(LockHolder proto) {
    return new Holder(
        holderId(proto.getId()),
        request(proto.getRequest()),
        new FencingToken(proto.getToken()),
        new Ttl(proto.getTtlMs()));
  }

  private static LockWaiter waiter(Waiter waiter) {
    return LockWaiter.newBuilder()
        .setId(holderId(waiter.id()))
        .setRequest(request(waiter.request()))
        .setTtlMs(waiter.ttl().millis())
        .setPatienceMs(waiter.patience().millis())
        .build();
  }

  private static Waiter waiter(LockWaiter proto) {
    return new Waiter(
        holderId(proto.getId()),
        request(proto.getRequest()),
        new Ttl(proto.getTtlMs()),
        new Patience(proto.getPatienceMs()));
  }

  private static ScopedId request(RequestId id) {
    return scoped(id.client(), id.value());
  }

  private static RequestId request(ScopedId proto) {
    return new RequestId(new ClientId(proto.getClient()), proto.getValue());
  }

  private static ScopedId holderId(HolderId id) {
    return scoped(id.client(), id.value());
  }

  private static HolderId holderId(ScopedId proto) {
    return new HolderId(new ClientId(proto.getClient()), proto.getValue());
  }

  private static ScopedId scoped(ClientId client, String value) {
    return ScopedId.newBuilder().setClient(client.value()).setValue(value).build();
  }

  private static LockLeave.Cause cause(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> LockLeave.Cause.CAUSE_TIMED_OUT;
      case CANCELLED -> LockLeave.Cause.CAUSE_CANCELLED;
    };
  }

  private static LeaveCause cause(LockLeave.Cause proto) {
    return switch (proto) {
      case CAUSE_TIMED_OUT -> LeaveCause.TIMED_OUT;
      case CAUSE_CANCELLED -> LeaveCause.CANCELLED;
      case CAUSE_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no cause that is known here");
    };
  }

  private static LockOutcome.Manner manner(Manner manner) {
    return switch (manner) {
      case AT_ONCE -> LockOutcome.Manner.MANNER_AT_ONCE;
      case AFTER_WAITING -> LockOutcome.Manner.MANNER_AFTER_WAITING;
      case REPEATED -> LockOutcome.Manner.MANNER_REPEATED;
    };
  }

  private static Manner manner(LockOutcome.Manner proto) {
    return switch (proto) {
      case MANNER_AT_ONCE -> Manner.AT_ONCE;
      case MANNER_AFTER_WAITING -> Manner.AFTER_WAITING;
      case MANNER_REPEATED -> Manner.REPEATED;
      case MANNER_UNSPECIFIED, UNRECOGNIZED ->
          throw new IllegalArgumentException("no manner that is known here");
    };
  }
}
