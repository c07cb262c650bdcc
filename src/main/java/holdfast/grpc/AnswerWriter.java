package holdfast.grpc;

import com.google.protobuf.ByteString;
import holdfast.coordination.AnswerFacts;
import holdfast.coordination.NodeIdentity;
import holdfast.coordination.Owners;
import holdfast.entity.LeaseView;
import holdfast.entity.LockAnswer;
import holdfast.entity.LockShards;
import holdfast.entity.LockView;
import holdfast.entity.Renewal;
import holdfast.lock.FencingToken;
import holdfast.lock.LeaseLife;
import holdfast.lock.Life;
import holdfast.lock.LockCommand.LeaveCause;
import holdfast.lock.LockKey;
import holdfast.lock.Outcome;
import holdfast.lock.Refusal;
import holdfast.lock.RequestId;
import holdfast.lock.Waiter;
import holdfast.v1.CancelResponse;
import holdfast.v1.ForceUnlockResponse;
import holdfast.v1.Header;
import holdfast.v1.Holder;
import holdfast.v1.LeaseRecord;
import holdfast.v1.LockMode;
import holdfast.v1.LockRecord;
import holdfast.v1.LockResponse;
import holdfast.v1.OwnerHint;
import holdfast.v1.Reason;
import holdfast.v1.RenewRequest;
import holdfast.v1.RenewResponse;
import holdfast.v1.UnlockResponse;
import holdfast.v1.WaiterRecord;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Translates what a lock came to into answers, and its refusals into errors where they are such.
 */
final class AnswerWriter {

  private final AnswerFacts facts;
  private final LockShards locks;

  AnswerWriter(AnswerFacts facts, LockShards locks) {
    this.facts = facts;
    this.locks = locks;
  }

  /** Who answers, of the state that this revision stands for. */
  Header header(long revision) {
    NodeIdentity identity = facts.identity();
    return Header.newBuilder()
        .setClusterId(identity.clusterId())
        .setMemberId(identity.memberId())
        .setRevision(revision)
        .setRaftTerm(facts.term())
        .build();
  }

  /** What is true now: of a state that is read afterwards, that it is not older. */
  Header header() {
    return header(facts.revision());
  }

  LockResponse lock(LockKey key, LockAnswer answer) {
    LockResponse.Builder response = lock(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** What a lock request came to, as it is told in a session. */
  static LockResponse.Builder lock(LockKey key, Outcome outcome) {
    LockResponse.Builder response = LockResponse.newBuilder();
    return outcome.match(
        new Expected<>() {
          @Override
          public LockResponse.Builder acquired(Outcome.Acquired acquired) {
            return AnswerWriter.acquired(response, acquired);
          }

          @Override
          public LockResponse.Builder waiting(Outcome.Waiting waiting) {
            return response.setQueued(true).setQueuePosition(waiting.position());
          }

          @Override
          public LockResponse.Builder refused(Outcome.Refused refused) {
            return refused.refusal().match(new NotAcquired(key, response));
          }
        });
  }

  UnlockResponse unlock(LockKey key, LockAnswer answer) {
    UnlockResponse.Builder response = unlock(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** What a release came to, as it is told in a session. */
  static UnlockResponse.Builder unlock(LockKey key, Outcome outcome) {
    return outcome.match(
        new Expected<>() {
          @Override
          public UnlockResponse.Builder released(Outcome.Released released) {
            return UnlockResponse.newBuilder()
                .setReleased(released.count() == 0)
                .setCount(released.count())
                .setRepeated(released.repeated());
          }

          @Override
          public UnlockResponse.Builder refused(Outcome.Refused refused) {
            throw refused.refusal().match(new Errors(key));
          }
        });
  }

  CancelResponse cancel(LockKey key, LockAnswer answer) {
    CancelResponse.Builder response = cancel(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** What a cancel came to, as it is told in a session. */
  static CancelResponse.Builder cancel(LockKey key, Outcome outcome) {
    return outcome.match(
        new Expected<>() {
          @Override
          public CancelResponse.Builder cancelled(Outcome.Cancelled cancelled) {
            FencingToken released = cancelled.released();
            return CancelResponse.newBuilder()
                .setDropped(cancelled.dropped())
                .setReleased(released != null)
                .setFencingToken(released == null ? 0 : released.value());
          }

          @Override
          public CancelResponse.Builder refused(Outcome.Refused refused) {
            throw refused.refusal().match(new Errors(key));
          }
        });
  }

  ForceUnlockResponse force(LockKey key, LockAnswer answer) {
    return answer
        .outcome()
        .match(
            new Expected<>() {
              @Override
              public ForceUnlockResponse forced(Outcome.Forced forced) {
                return ForceUnlockResponse.newBuilder()
                    .setHeader(header(answer.revision()))
                    .setKey(key.value())
                    .addAllFencingTokens(
                        forced.tokens().stream().map(FencingToken::value).sorted().toList())
                    .setRepeated(forced.repeated())
                    .build();
              }

              @Override
              public ForceUnlockResponse refused(Outcome.Refused refused) {
                throw refused.refusal().match(new Errors(key));
              }
            });
  }

  /** What a sign of life came to. */
  RenewResponse.Builder renewed(LockKey key, RenewRequest request, Renewal.Answer answer) {
    if (!answer.alive()) {
      throw request.hasFencingToken()
          ? StatusMapping.error(
              Reason.REASON_NOT_HOLDER,
              "fencing_token [%d] is not held on key [%s]"
                  .formatted(request.getFencingToken(), key))
          : StatusMapping.error(
              Reason.REASON_REQUEST_NOT_FOUND,
              "the lock request neither waits nor holds on key [" + key + "]");
    }
    RenewResponse.Builder response =
        RenewResponse.newBuilder()
            .setFencingToken(answer.token())
            .setHeldNow(answer.token() != 0)
            .setQueued(answer.token() == 0)
            .setQueuePosition(answer.position())
            .setGrantedTtlMs(answer.ttlMs());
    owner(key, response::setOwner);
    return response;
  }

  /** Where the next request for the key is best sent, if that is known. */
  void owner(LockKey key, java.util.function.Consumer<OwnerHint> to) {
    locks.owner(key).ifPresent(owner -> to.accept(hint(locks.shard(key), owner)));
  }

  static OwnerHint hint(int shard, Owners.Owner owner) {
    return OwnerHint.newBuilder()
        .setMemberId(owner.member())
        .setShard(shard)
        .setEpoch(owner.epoch())
        .build();
  }

  static LockRecord record(LockView lock) {
    LockRecord.Builder record =
        LockRecord.newBuilder()
            .setKey(lock.key().value())
            .setCreateRevision(lock.created())
            .setModRevision(lock.revision())
            .setVersion(lock.version());
    lock.holders().forEach(holder -> record.addHolders(holder(holder)));
    return record.build();
  }

  static LeaseRecord lease(LeaseView lease) {
    return LeaseRecord.newBuilder()
        .setLeaseId(lease.id())
        .setIncarnation(lease.incarnation())
        .setGrantedTtlMs(lease.terms().ttl().millis())
        .setClientId(lease.terms().client().value())
        .setSession(lease.terms().session())
        .addAllKeys(lease.keys().stream().map(LockKey::value).toList())
        .setKeyCount(lease.keyCount())
        .build();
  }

  private static LockResponse.Builder acquired(
      LockResponse.Builder response, Outcome.Acquired acquired) {
    Life life = acquired.life();
    return response
        .setFencingToken(acquired.token().value())
        .setAcquired(true)
        .setHeldNow(acquired.isHeld())
        .setRepeated(acquired.manner() == Outcome.Manner.REPEATED)
        .setWaited(acquired.manner() == Outcome.Manner.AFTER_WAITING)
        .setGrantedTtlMs(life.ttl().millis())
        .setLeaseId(life.lease().map(LeaseLife::id).orElse(0L))
        .setLeaseIncarnation(life.lease().map(LeaseLife::incarnation).orElse(0L))
        .setCount(acquired.count());
  }

  /** The answer to a lock request that was not granted: some refusals are answers, some errors. */
  private static final class NotAcquired implements Refusal.Cases<LockResponse.Builder> {

    private final LockKey key;
    private final LockResponse.Builder response;

    NotAcquired(LockKey key, LockResponse.Builder response) {
      this.key = key;
      this.response = response;
    }

    @Override
    public LockResponse.Builder held(Refusal.Held held) {
      return response.setReason(Reason.REASON_LOCKED).setHolder(holder(held.holder()));
    }

    @Override
    public LockResponse.Builder leftLine(Refusal.LeftLine left) {
      response
          .setReason(reason(left.cause()))
          .setQueuePosition(left.position())
          .setRepeated(left.repeated());
      holdfast.lock.Holder holder = left.holder();
      if (holder != null) {
        response.setHolder(holder(holder));
      }
      return response;
    }

    @Override
    public LockResponse.Builder queueFull(Refusal.QueueFull full) {
      throw new Errors(key).queueFull(full);
    }

    @Override
    public LockResponse.Builder countFull(Refusal.CountFull full) {
      throw new Errors(key).countFull(full);
    }

    @Override
    public LockResponse.Builder requestReused(Refusal.RequestReused reused) {
      throw new Errors(key).requestReused(reused);
    }

    @Override
    public LockResponse.Builder leaseGone(Refusal.LeaseGone gone) {
      throw new Errors(key).leaseGone(gone);
    }

    @Override
    public LockResponse.Builder noToken(Refusal.NoToken noToken) {
      throw new Errors(key).noToken(noToken);
    }

    @Override
    public LockResponse.Builder notHolder(Refusal.NotHolder notHolder) {
      throw unexpected(notHolder);
    }

    @Override
    public LockResponse.Builder notWaiting(Refusal.NotWaiting notWaiting) {
      throw unexpected(notWaiting);
    }
  }

  /** The errors that refusals become. */
  private static final class Errors implements Refusal.Cases<RuntimeException> {

    private final LockKey key;

    Errors(LockKey key) {
      this.key = key;
    }

    @Override
    public StatusRuntimeException queueFull(Refusal.QueueFull full) {
      return StatusMapping.error(
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_QUEUE_FULL)
              .setMessage("the queue of the key is full: [" + full.max() + "] wait")
              .setMaximum(full.max()));
    }

    @Override
    public StatusRuntimeException countFull(Refusal.CountFull full) {
      return StatusMapping.error(
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_OUT_OF_BOUND)
              .setField("reenter")
              .setMessage("the holder has entered [" + full.max() + "] times, the maximum")
              .setMaximum(full.max()));
    }

    @Override
    public StatusRuntimeException requestReused(Refusal.RequestReused reused) {
      return StatusMapping.error(
          Reason.REASON_REQUEST_ID_REUSED,
          "request_id [" + name(reused.request()) + "] came before with other content");
    }

    @Override
    public StatusRuntimeException leaseGone(Refusal.LeaseGone gone) {
      return leaseNotFound(gone.lease().id());
    }

    @Override
    public StatusRuntimeException noToken(Refusal.NoToken noToken) {
      return StatusMapping.error(
          Reason.REASON_OWNER_MOVING,
          "the owner of key [" + key + "] has no fencing token to give; nothing was changed");
    }

    @Override
    public StatusRuntimeException notHolder(Refusal.NotHolder not) {
      var refusal =
          holdfast.v1.Refusal.newBuilder()
              .setReason(Reason.REASON_NOT_HOLDER)
              .setMessage("fencing_token [" + not.token() + "] is not held on key [" + key + "]");
      holdfast.lock.Holder holder = not.holder();
      if (holder != null) {
        refusal.setHolder(holder(holder));
      }
      return StatusMapping.error(refusal);
    }

    @Override
    public IllegalStateException held(Refusal.Held held) {
      return unexpected(held);
    }

    @Override
    public IllegalStateException leftLine(Refusal.LeftLine left) {
      return unexpected(left);
    }

    @Override
    public IllegalStateException notWaiting(Refusal.NotWaiting notWaiting) {
      return unexpected(notWaiting);
    }
  }

  static StatusRuntimeException leaseNotFound(long lease) {
    return StatusMapping.error(
        Reason.REASON_LEASE_NOT_FOUND, "lease_id [" + lease + "] is of no lease that is alive");
  }

  private static Reason reason(LeaveCause cause) {
    return switch (cause) {
      case TIMED_OUT -> Reason.REASON_WAIT_TIMED_OUT;
      case CANCELLED -> Reason.REASON_CANCELLED;
      case LEASE_ENDED -> Reason.REASON_LEASE_ENDED;
    };
  }

  static Holder holder(holdfast.lock.Holder holder) {
    RequestId request = holder.request().id();
    return Holder.newBuilder()
        .setHolderId(holder.id().value())
        .setClientId(request.client().value())
        .setLeaseId(holder.life().lease().map(LeaseLife::id).orElse(0L))
        .setFencingToken(holder.token().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setCount(holder.count())
        .setMetadata(ByteString.copyFrom(holder.metadata().bytes()))
        .setGrantedTtlMs(holder.life().ttl().millis())
        .setSessionId(session(request))
        .build();
  }

  static WaiterRecord waiter(Waiter waiter, int position) {
    RequestId request = waiter.request().id();
    return WaiterRecord.newBuilder()
        .setRequestId(name(request))
        .setClientId(request.client().value())
        .setLeaseId(waiter.life().lease().map(LeaseLife::id).orElse(0L))
        .setCreateRevision(waiter.since())
        .setHolderId(waiter.id().value())
        .setMode(LockMode.LOCK_MODE_EXCLUSIVE)
        .setPosition(position)
        .setSessionId(session(request))
        .setNumber(request instanceof RequestId.Numbered numbered ? numbered.number() : 0)
        .build();
  }

  private static String name(RequestId request) {
    return request instanceof RequestId.Named named ? named.value() : "";
  }

  private static long session(RequestId request) {
    return request.match(
        new RequestId.Cases<>() {
          @Override
          public Long named(RequestId.Named named) {
            return 0L;
          }

          @Override
          public Long numbered(RequestId.Numbered numbered) {
            return numbered.session().id();
          }

          @Override
          public Long once(RequestId.Once once) {
            return 0L;
          }

          @Override
          public Long cancelling(RequestId.Cancelling cancelling) {
            return 0L;
          }
        });
  }

  private static IllegalStateException unexpected(@Nullable Object outcome) {
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

    @Override
    public R cancelled(Outcome.Cancelled cancelled) {
      throw unexpected(cancelled);
    }

    @Override
    public R forced(Outcome.Forced forced) {
      throw unexpected(forced);
    }

    @Override
    public R swept(Outcome.Swept swept) {
      throw unexpected(swept);
    }
  }
}
