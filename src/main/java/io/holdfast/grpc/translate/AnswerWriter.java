package io.holdfast.grpc.translate;

import io.holdfast.coordination.AnswerFacts;
import io.holdfast.coordination.NodeIdentity;
import io.holdfast.coordination.member.Owners;
import io.holdfast.hosting.LeaseDetails;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Holder;
import io.holdfast.lock.Lifetime;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.Outcome;
import io.holdfast.sharding.ShardMap;
import io.holdfast.v1.CancelResponse;
import io.holdfast.v1.ForceUnlockResponse;
import io.holdfast.v1.Header;
import io.holdfast.v1.LeaseRecord;
import io.holdfast.v1.LockResponse;
import io.holdfast.v1.OwnerHint;
import io.holdfast.v1.Reason;
import io.holdfast.v1.RenewRequest;
import io.holdfast.v1.RenewResponse;
import io.holdfast.v1.UnlockResponse;
import io.holdfast.wire.LockAnswer;
import io.holdfast.wire.Renewal;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Translates the outcomes of lock commands into answers. */
public final class AnswerWriter {

  private final AnswerFacts facts;
  private final ShardMap shards;

  public AnswerWriter(AnswerFacts facts, ShardMap shards) {
    this.facts = facts;
    this.shards = shards;
  }

  /** Translates a lease, with its remaining ttl if it is known. */
  public LeaseRecord lease(LeaseDetails view, OptionalLong leftMs) {
    LeaseRecord.Builder record = RecordWriter.lease(view).toBuilder();
    leftMs.ifPresent(left -> record.setRemainingTtlMs(left).setExpiryUnixMs(facts.wallMs() + left));
    return record.build();
  }

  /** Translates a holder, with its remaining ttl if this node knows it. */
  private Function<Holder, io.holdfast.v1.Holder> shown(LockKey key) {
    return holder -> {
      io.holdfast.v1.Holder.Builder shown = RecordWriter.holder(holder).toBuilder();
      shards.leftHere(RemainingTtls.of(key, holder)).ifPresent(shown::setRemainingTtlMs);
      return shown.build();
    };
  }

  /** Returns the header of an answer at this revision. */
  public Header header(Revision revision) {
    NodeIdentity identity = facts.identity();
    return Header.newBuilder()
        .setClusterId(identity.clusterId())
        .setMemberId(identity.memberId())
        .setRevision(revision.value())
        .setRaftTerm(facts.term())
        .build();
  }

  /** Returns the header at the current revision. A state that is read afterwards is not older. */
  public Header header() {
    return header(facts.revision());
  }

  public LockResponse lock(LockKey key, LockAnswer answer) {
    LockResponse.Builder response = lock(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** Translates the outcome of a lock request in a session. */
  public LockResponse.Builder lock(LockKey key, Outcome outcome) {
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
            return refused
                .refusal()
                .match(new RefusalTranslator.NotAcquired(key, response, shown(key)));
          }
        });
  }

  public UnlockResponse unlock(LockKey key, LockAnswer answer) {
    UnlockResponse.Builder response = unlock(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** Translates the outcome of a release in a session. */
  public UnlockResponse.Builder unlock(LockKey key, Outcome outcome) {
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
            throw refused.refusal().match(new RefusalTranslator.Errors(key, shown(key)));
          }
        });
  }

  public CancelResponse cancel(LockKey key, LockAnswer answer) {
    CancelResponse.Builder response = cancel(key, answer.outcome());
    owner(key, response::setOwner);
    return response.setHeader(header(answer.revision())).setKey(key.value()).build();
  }

  /** Translates the outcome of a cancel in a session. */
  public CancelResponse.Builder cancel(LockKey key, Outcome outcome) {
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
            throw refused.refusal().match(new RefusalTranslator.Errors(key, shown(key)));
          }
        });
  }

  public ForceUnlockResponse force(LockKey key, LockAnswer answer) {
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
                throw refused.refusal().match(new RefusalTranslator.Errors(key, shown(key)));
              }
            });
  }

  /** Translates the result of a renewal. */
  public RenewResponse.Builder renewed(LockKey key, RenewRequest request, Renewal.Answer answer) {
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

  /** Adds the owner of the key's shard, if it is known: the best node for the next request. */
  public void owner(LockKey key, Consumer<OwnerHint> to) {
    shards.owner(key).ifPresent(owner -> to.accept(hint(shards.shard(key), owner)));
  }

  public static OwnerHint hint(ShardId shard, Owners.Owner owner) {
    return OwnerHint.newBuilder()
        .setMemberId(owner.member())
        .setEndpoint(owner.endpoint())
        .setShard(shard.value())
        .setEpoch(owner.epoch().value())
        .build();
  }

  private static LockResponse.Builder acquired(
      LockResponse.Builder response, Outcome.Acquired acquired) {
    Lifetime life = acquired.life();
    return response
        .setFencingToken(acquired.token().value())
        .setAcquired(true)
        .setHeldNow(acquired.isHeld())
        .setRepeated(acquired.manner() == Outcome.Manner.REPEATED)
        .setWaited(acquired.manner() == Outcome.Manner.AFTER_WAITING)
        .setGrantedTtlMs(life.ttl().millis())
        .setLeaseId(life.lease().map(lease -> lease.id().value()).orElse(0L))
        .setLeaseIncarnation(life.lease().map(lease -> lease.incarnation().value()).orElse(0L))
        .setCount(acquired.count());
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
    public R orphansRemoved(Outcome.OrphansRemoved removed) {
      throw unexpected(removed);
    }
  }
}
