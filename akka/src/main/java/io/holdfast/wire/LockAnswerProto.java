package io.holdfast.wire;

import io.holdfast.id.Revision;
import io.holdfast.internal.cluster.LockAnswered;
import io.holdfast.internal.cluster.LockAnswered.LeftQueue;
import io.holdfast.internal.journal.Grant;
import io.holdfast.internal.journal.LeaseName;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Outcome;
import io.holdfast.lock.Outcome.Manner;
import io.holdfast.lock.Refusal;
import org.jspecify.annotations.Nullable;

/** Translates the answers of locks to and from {@code cluster.proto}. */
final class LockAnswerProto {

  private LockAnswerProto() {}

  static LockAnswered answer(LockAnswer answer) {
    LockAnswered.Builder proto =
        LockAnswered.newBuilder()
            .setNumber(answer.number())
            .setRevision(answer.revision().value())
            .setKept(answer.kept());
    return answer
        .outcome()
        .match(
            new Outcome.Cases<LockAnswered.Builder>() {
              @Override
              public LockAnswered.Builder acquired(Outcome.Acquired acquired) {
                return proto.setAcquired(
                    LockAnswered.Acquired.newBuilder()
                        .setToken(acquired.token().value())
                        .setLife(ProtoValues.life(acquired.life()))
                        .setCount(acquired.count())
                        .setManner(manner(acquired.manner())));
              }

              @Override
              public LockAnswered.Builder waiting(Outcome.Waiting waiting) {
                return proto.setWaiting(
                    LockAnswered.Waiting.newBuilder()
                        .setRequest(ProtoValues.request(waiting.request()))
                        .setPosition(waiting.position()));
              }

              @Override
              public LockAnswered.Builder released(Outcome.Released released) {
                return proto.setReleased(
                    LockAnswered.Released.newBuilder()
                        .setToken(released.token().value())
                        .setCount(released.count())
                        .setRepeated(released.repeated()));
              }

              @Override
              public LockAnswered.Builder withdrawn(Outcome.Withdrawn withdrawn) {
                return proto.setWithdrawn(ProtoValues.request(withdrawn.request()));
              }

              @Override
              public LockAnswered.Builder cancelled(Outcome.Cancelled cancelled) {
                return proto.setCancelled(
                    LockAnswered.Cancelled.newBuilder()
                        .setDropped(cancelled.dropped())
                        .setReleased(value(cancelled.released())));
              }

              @Override
              public LockAnswered.Builder forced(Outcome.Forced forced) {
                return proto.setForced(
                    LockAnswered.Forced.newBuilder()
                        .addAllTokens(forced.tokens().stream().map(FencingToken::value).toList())
                        .setRepeated(forced.repeated()));
              }

              @Override
              public LockAnswered.Builder orphansRemoved(Outcome.OrphansRemoved removed) {
                return proto.setOrphansRemoved(LockAnswered.OrphansRemoved.getDefaultInstance());
              }

              @Override
              public LockAnswered.Builder refused(Outcome.Refused refused) {
                return refused.refusal().match(new RefusalWriter(proto));
              }
            })
        .build();
  }

  private static final class RefusalWriter implements Refusal.Cases<LockAnswered.Builder> {

    private final LockAnswered.Builder proto;

    RefusalWriter(LockAnswered.Builder proto) {
      this.proto = proto;
    }

    @Override
    public LockAnswered.Builder held(Refusal.Held held) {
      return proto.setHeld(ProtoValues.holder(held.holder()));
    }

    @Override
    public LockAnswered.Builder queueFull(Refusal.QueueFull queueFull) {
      return proto.setQueueFull(queueFull.max());
    }

    @Override
    public LockAnswered.Builder limitReached(Refusal.LimitReached reached) {
      return proto.setLimitReached(
          LockAnswered.LimitReached.newBuilder()
              .setLimit(
                  switch (reached.limit()) {
                    case REQUEST_IDS -> LockAnswered.Limit.LIMIT_REQUEST_IDS;
                    case KEYS_ON_LEASE -> LockAnswered.Limit.LIMIT_KEYS_ON_LEASE;
                    case WAITING_COMMANDS -> LockAnswered.Limit.LIMIT_WAITING_COMMANDS;
                    case STATE -> LockAnswered.Limit.LIMIT_STATE;
                  })
              .setMax(reached.max()));
    }

    @Override
    public LockAnswered.Builder countFull(Refusal.CountFull countFull) {
      return proto.setCountFull(countFull.max());
    }

    @Override
    public LockAnswered.Builder notHolder(Refusal.NotHolder not) {
      var refusal = LockAnswered.NotHolder.newBuilder().setToken(not.token().value());
      Holder holder = not.holder();
      if (holder != null) {
        refusal.setHolder(ProtoValues.holder(holder));
      }
      return proto.setNotHolder(refusal);
    }

    @Override
    public LockAnswered.Builder notWaiting(Refusal.NotWaiting notWaiting) {
      return proto.setNotWaiting(ProtoValues.request(notWaiting.request()));
    }

    @Override
    public LockAnswered.Builder requestReused(Refusal.RequestReused reused) {
      return proto.setRequestReused(ProtoValues.request(reused.request()));
    }

    @Override
    public LockAnswered.Builder requestForgotten(Refusal.RequestForgotten forgotten) {
      return proto.setRequestForgotten(ProtoValues.request(forgotten.request()));
    }

    @Override
    public LockAnswered.Builder leaseGone(Refusal.LeaseGone gone) {
      return proto.setLeaseGone(ProtoValues.lease(gone.lease()));
    }

    @Override
    public LockAnswered.Builder leftQueue(Refusal.LeftQueue left) {
      LeftQueue.Builder refusal =
          LeftQueue.newBuilder()
              .setRequest(ProtoValues.request(left.request()))
              .setCause(ProtoValues.cause(left.cause()))
              .setPosition(left.position())
              .setRepeated(left.repeated());
      Holder holder = left.holder();
      if (holder != null) {
        refusal.setHolder(ProtoValues.holder(holder));
      }
      return proto.setLeftQueue(refusal);
    }

    @Override
    public LockAnswered.Builder noToken(Refusal.NoToken noToken) {
      return proto.setNoToken(LockAnswered.NoToken.getDefaultInstance());
    }
  }

  static LockAnswer answer(LockAnswered proto) {
    return new LockAnswer(
        proto.getNumber(), new Revision(proto.getRevision()), outcome(proto), proto.getKept());
  }

  private static Outcome outcome(LockAnswered proto) {
    return switch (proto.getOutcomeCase()) {
      case ACQUIRED ->
          new Outcome.Acquired(
              new FencingToken(proto.getAcquired().getToken()),
              ProtoValues.life(proto.getAcquired().getLife()),
              proto.getAcquired().getCount(),
              manner(proto.getAcquired().getManner()));
      case WAITING ->
          new Outcome.Waiting(
              ProtoValues.request(proto.getWaiting().getRequest()),
              proto.getWaiting().getPosition());
      case RELEASED ->
          new Outcome.Released(
              new FencingToken(proto.getReleased().getToken()),
              proto.getReleased().getCount(),
              proto.getReleased().getRepeated());
      case WITHDRAWN -> new Outcome.Withdrawn(ProtoValues.request(proto.getWithdrawn()));
      case CANCELLED ->
          new Outcome.Cancelled(
              proto.getCancelled().getDropped(), token(proto.getCancelled().getReleased()));
      case FORCED ->
          new Outcome.Forced(
              proto.getForced().getTokensList().stream().map(FencingToken::new).toList(),
              proto.getForced().getRepeated());
      case ORPHANS_REMOVED -> new Outcome.OrphansRemoved();
      case HELD -> refused(new Refusal.Held(ProtoValues.holder(proto.getHeld())));
      case QUEUE_FULL -> refused(new Refusal.QueueFull(proto.getQueueFull()));
      case COUNT_FULL -> refused(new Refusal.CountFull(proto.getCountFull()));
      case NOT_HOLDER ->
          refused(
              new Refusal.NotHolder(
                  new FencingToken(proto.getNotHolder().getToken()),
                  holder(proto.getNotHolder().hasHolder(), proto.getNotHolder().getHolder())));
      case NOT_WAITING ->
          refused(new Refusal.NotWaiting(ProtoValues.request(proto.getNotWaiting())));
      case REQUEST_REUSED ->
          refused(new Refusal.RequestReused(ProtoValues.request(proto.getRequestReused())));
      case REQUEST_FORGOTTEN ->
          refused(new Refusal.RequestForgotten(ProtoValues.request(proto.getRequestForgotten())));
      case LEASE_GONE -> {
        LeaseName lease = proto.getLeaseGone();
        yield refused(new Refusal.LeaseGone(ProtoValues.lease(lease)));
      }
      case LEFT_QUEUE -> {
        LeftQueue left = proto.getLeftQueue();
        yield refused(
            new Refusal.LeftQueue(
                ProtoValues.request(left.getRequest()),
                ProtoValues.cause(left.getCause()),
                left.getPosition(),
                holder(left.hasHolder(), left.getHolder()),
                left.getRepeated()));
      }
      case LIMIT_REACHED ->
          refused(
              new Refusal.LimitReached(
                  limit(proto.getLimitReached().getLimit()), proto.getLimitReached().getMax()));
      case NO_TOKEN -> refused(new Refusal.NoToken());
      case OUTCOME_NOT_SET -> throw new IllegalArgumentException("unknown outcome");
    };
  }

  private static Refusal.Limit limit(LockAnswered.Limit proto) {
    return switch (proto) {
      case LIMIT_REQUEST_IDS -> Refusal.Limit.REQUEST_IDS;
      case LIMIT_KEYS_ON_LEASE -> Refusal.Limit.KEYS_ON_LEASE;
      case LIMIT_WAITING_COMMANDS -> Refusal.Limit.WAITING_COMMANDS;
      case LIMIT_STATE -> Refusal.Limit.STATE;
      case LIMIT_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("unknown limit");
    };
  }

  private static Outcome refused(Refusal refusal) {
    return new Outcome.Refused(refusal);
  }

  private static @Nullable Holder holder(boolean isThere, Grant proto) {
    return isThere ? ProtoValues.holder(proto) : null;
  }

  private static @Nullable FencingToken token(long value) {
    return value == 0 ? null : new FencingToken(value);
  }

  private static long value(@Nullable FencingToken token) {
    return token == null ? 0 : token.value();
  }

  private static LockAnswered.Manner manner(Manner manner) {
    return switch (manner) {
      case AT_ONCE -> LockAnswered.Manner.MANNER_AT_ONCE;
      case AFTER_WAITING -> LockAnswered.Manner.MANNER_AFTER_WAITING;
      case REPEATED -> LockAnswered.Manner.MANNER_REPEATED;
    };
  }

  private static Manner manner(LockAnswered.Manner proto) {
    return switch (proto) {
      case MANNER_AT_ONCE -> Manner.AT_ONCE;
      case MANNER_AFTER_WAITING -> Manner.AFTER_WAITING;
      case MANNER_REPEATED -> Manner.REPEATED;
      case MANNER_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("unknown manner");
    };
  }
}
