package holdfast.grpc;

import holdfast.coordination.AnswerFacts;
import holdfast.coordination.NodeIdentity;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockKey;
import holdfast.lock.LockState;
import holdfast.lock.Outcome;
import holdfast.lock.Refusal;
import holdfast.lock.Waiter;
import holdfast.v1.GetLockResponse;
import holdfast.v1.Header;
import holdfast.v1.Holder;
import holdfast.v1.LockMode;
import holdfast.v1.LockRecord;
import holdfast.v1.LockResponse;
import holdfast.v1.Reason;
import holdfast.v1.UnlockResponse;
import holdfast.v1.WaiterRecord;
import io.grpc.StatusRuntimeException;

/**
 * Translates what a lock came to into answers, and its refusals into errors where they are such.
 */
final class AnswerWriter {

  private final AnswerFacts facts;

  AnswerWriter(AnswerFacts facts) {
    this.facts = facts;
  }

  /** What is true now: of a state that is read afterwards, that it is not older. */
  Header header() {
    NodeIdentity identity = facts.identity();
    return Header.newBuilder()
        .setClusterId(identity.clusterId())
        .setMemberId(identity.memberId())
        .setRevision(facts.revision())
        .setRaftTerm(facts.term())
        .build();
  }

  LockResponse lock(LockKey key, Outcome outcome) {
    LockResponse.Builder response =
        LockResponse.newBuilder().setHeader(header()).setKey(key.value());
    return outcome.match(
        new Expected<>() {
          @Override
          public LockResponse acquired(Outcome.Acquired acquired) {
            return AnswerWriter.acquired(response, acquired);
          }

          @Override
          public LockResponse refused(Outcome.Refused refused) {
            return notAcquired(key, response, refused.refusal());
          }
        });
  }

  UnlockResponse unlock(LockKey key, Outcome outcome) {
    return outcome.match(
        new Expected<>() {
          @Override
          public UnlockResponse released(Outcome.Released released) {
            return UnlockResponse.newBuilder()
                .setHeader(header())
                .setKey(key.value())
                .setReleased(true)
                .build();
          }

          @Override
          public UnlockResponse refused(Outcome.Refused refused) {
            if (refused.refusal() instanceof Refusal.NotHolder notHolder) {
              throw StatusMapping.error(
                  Reason.REASON_NOT_HOLDER,
                  "fencing_token [" + notHolder.token() + "] is not held on key [" + key + "]");
            } else if (isForWantOfToken(refused.refusal())) {
              throw noToken(key);
            }
            throw unexpected(refused);
          }
        });
  }

  GetLockResponse getLock(Header header, LockKey key, LockState state, int waiterLimit) {
    GetLockResponse.Builder response =
        GetLockResponse.newBuilder().setHeader(header).setWaiterCount(state.waiters().size());
    if (!state.isFree()) {
      LockRecord.Builder lock = LockRecord.newBuilder().setKey(key.value());
      state.holders().forEach(holder -> lock.addHolders(holder(holder)));
      response.setLock(lock);
    }
    for (int i = 0; i < Math.min(waiterLimit, state.waiters().size()); i++) {
      response.addWaiters(waiter(state.waiters().get(i), i + 1));
    }
    return response.build();
  }

  private static LockResponse acquired(LockResponse.Builder response, Outcome.Acquired acquired) {
    return response
        .setFencingToken(acquired.holder().token().value())
        .setAcquired(true)
        .setHeldNow(true)
        .setRepeated(acquired.manner() == Outcome.Manner.REPEATED)
        .setWaited(acquired.manner() == Outcome.Manner.AFTER_WAITING)
        .setGrantedTtlMs(acquired.holder().ttl().millis())
        .setCount(1)
        .build();
  }

  private static LockResponse notAcquired(
      LockKey key, LockResponse.Builder response, Refusal refusal) {
    return refusal.match(
        new Refusal.Cases<>() {
          @Override
          public LockResponse held(Refusal.Held held) {
            return response
                .setReason(Reason.REASON_LOCKED)
                .setHolder(holder(held.holder()))
                .build();
          }

          @Override
          public LockResponse leftLine(Refusal.LeftLine left) {
            return response
                .setReason(reason(left.cause()))
                .setQueuePosition(left.position())
                .setHolder(holder(left.holder()))
                .build();
          }

          @Override
          public LockResponse queueFull(Refusal.QueueFull full) {
            throw StatusMapping.error(
                holdfast.v1.Refusal.newBuilder()
                    .setReason(Reason.REASON_QUEUE_FULL)
                    .setMessage("the queue of the key is full: [" + full.max() + "] wait")
                    .setMaximum(full.max()));
          }

          @Override
          public LockResponse requestReused(Refusal.RequestReused reused) {
            throw StatusMapping.error(
                Reason.REASON_REQUEST_ID_REUSED,
                "request_id [" + reused.request().value() + "] came before with other content");
          }

          @Override
          public LockResponse noToken(Refusal.NoToken noToken) {
            throw AnswerWriter.noToken(key);
          }

          @Override
          public LockResponse notHolder(Refusal.NotHolder notHolder) {
            throw unexpected(notHolder);
          }

          @Override
          public LockResponse notWaiting(Refusal.NotWaiting notWaiting) {
            throw unexpected(notWaiting);
          }
        });
  }

  /** Asked alone: a ladder over the refusals would have to name them all. */
  private static boolean isForWantOfToken(Refusal refusal) {
    return refusal instanceof Refusal.NoToken;
  }

  private static StatusRuntimeException noToken(LockKey key) {
    return StatusMapping.error(
        Reason.REASON_OWNER_MOVING,
        "the owner of key [" + key + "] has no fencing token to give; nothing was changed");
  }

  private static Reason reason(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> Reason.REASON_WAIT_TIMED_OUT;
      case CANCELLED -> Reason.REASON_CANCELLED;
    };
  }

  private static Holder holder(holdfast.lock.Holder holder) {
    return Holder.newBuilder()
        .setHolderId(holder.id().value())
        .setClientId(holder.id().client().value())
        .setFencingToken(holder.token().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setCount(1)
        .setGrantedTtlMs(holder.ttl().millis())
        .build();
  }

  private static WaiterRecord waiter(Waiter waiter, int position) {
    return WaiterRecord.newBuilder()
        .setRequestId(waiter.request().value())
        .setClientId(waiter.id().client().value())
        .setHolderId(waiter.id().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setPosition(position)
        .build();
  }

  private static IllegalStateException unexpected(Object outcome) {
    return new IllegalStateException("not an outcome of this request [" + outcome + "]");
  }

  /** The outcomes of one kind of request; those it cannot have are a fault of this node. */
  private abstract static class Expected<R> implements Outcome.Cases<R> {

    @Override
    public R acquired(Outcome.Acquired acquired) {
      throw unexpected(acquired);
    }

    @Override
    public R waiting(Outcome.Waiting waiting) {
      throw unexpected(waiting);
    }

    @Override
    public R released(Outcome.Released released) {
      throw unexpected(released);
    }

    @Override
    public R withdrawn(Outcome.Withdrawn withdrawn) {
      throw unexpected(withdrawn);
    }
  }
}
