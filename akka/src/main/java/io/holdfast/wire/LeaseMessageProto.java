package io.holdfast.wire;

import io.holdfast.id.LeaseId;
import io.holdfast.id.Revision;
import io.holdfast.id.ShardId;
import io.holdfast.internal.cluster.LeaseAnswered;
import io.holdfast.internal.cluster.LeaseHandle;
import io.holdfast.internal.cluster.Renewals;
import io.holdfast.internal.cluster.Renewed;
import io.holdfast.lease.LeaseCommand;
import io.holdfast.lease.LeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockKey;
import io.holdfast.lock.RequestHeader;
import io.holdfast.lock.Ttl;

/** Translates messages about leases and renewals to and from {@code cluster.proto}. */
final class LeaseMessageProto {

  private LeaseMessageProto() {}

  static LeaseHandle handle(LeaseMessage.Handle message, String replyTo) {
    LeaseHandle.Builder handle =
        LeaseHandle.newBuilder().setReplyTo(replyTo).setNumber(message.number());
    return message
        .command()
        .match(
            new LeaseCommand.Cases<LeaseHandle.Builder>() {
              @Override
              public LeaseHandle.Builder grant(LeaseCommand.Grant grant) {
                return request(grant.request()).setGrant(ProtoValues.terms(grant.terms()));
              }

              @Override
              public LeaseHandle.Builder revoke(LeaseCommand.Revoke revoke) {
                return request(revoke.request()).setRevoke(revoke.incarnation().value());
              }

              @Override
              public LeaseHandle.Builder expire(LeaseCommand.Expire expire) {
                throw new IllegalArgumentException("an expiry never leaves its node");
              }

              private LeaseHandle.Builder request(RequestHeader request) {
                return handle
                    .setRequest(ProtoValues.request(request.id()))
                    .setContent(request.content());
              }
            })
        .build();
  }

  static LeaseCommand command(LeaseHandle handle) {
    RequestHeader request =
        new RequestHeader(ProtoValues.request(handle.getRequest()), handle.getContent());
    return switch (handle.getCommandCase()) {
      case GRANT -> new LeaseCommand.Grant(request, ProtoValues.terms(handle.getGrant()));
      case REVOKE -> new LeaseCommand.Revoke(request, new Revision(handle.getRevoke()));
      case COMMAND_NOT_SET -> throw new IllegalArgumentException("unknown command");
    };
  }

  static LeaseAnswered answer(LeaseAnswer answer) {
    var proto =
        LeaseAnswered.newBuilder()
            .setNumber(answer.number())
            .setRevision(answer.revision().value());
    LeaseOutcome outcome = answer.outcome();
    if (outcome instanceof LeaseOutcome.Granted granted) {
      proto.setGranted(
          LeaseAnswered.Granted.newBuilder()
              .setIncarnation(granted.incarnation().value())
              .setTtlMs(granted.ttl().millis())
              .setRepeated(granted.repeated()));
    } else if (outcome instanceof LeaseOutcome.Ended ended) {
      proto.setEnded(
          LeaseAnswered.Ended.newBuilder()
              .setReleased(ended.released())
              .setRepeated(ended.repeated()));
    } else if (outcome instanceof LeaseOutcome.Refused refused) {
      proto.setRefused(
          switch (refused.reason()) {
            case EXISTS -> LeaseAnswered.Refused.REFUSED_EXISTS;
            case NOT_FOUND -> LeaseAnswered.Refused.REFUSED_NOT_FOUND;
            case REQUEST_REUSED -> LeaseAnswered.Refused.REFUSED_REQUEST_REUSED;
            case TOO_MANY_LEASES -> LeaseAnswered.Refused.REFUSED_TOO_MANY_LEASES;
            case TOO_MANY_REQUEST_IDS -> LeaseAnswered.Refused.REFUSED_TOO_MANY_REQUEST_IDS;
            case OVERLOADED -> LeaseAnswered.Refused.REFUSED_OVERLOADED;
            case STATE_FULL -> LeaseAnswered.Refused.REFUSED_STATE_FULL;
          });
    } else {
      throw new AssertionError(outcome);
    }
    return proto.build();
  }

  static LeaseAnswer answer(LeaseAnswered proto) {
    return new LeaseAnswer(
        proto.getNumber(),
        new Revision(proto.getRevision()),
        switch (proto.getOutcomeCase()) {
          case GRANTED ->
              new LeaseOutcome.Granted(
                  new Revision(proto.getGranted().getIncarnation()),
                  new Ttl(proto.getGranted().getTtlMs()),
                  proto.getGranted().getRepeated());
          case ENDED ->
              new LeaseOutcome.Ended(
                  proto.getEnded().getReleased(), proto.getEnded().getRepeated());
          case REFUSED ->
              new LeaseOutcome.Refused(
                  switch (proto.getRefused()) {
                    case REFUSED_EXISTS -> LeaseOutcome.Reason.EXISTS;
                    case REFUSED_NOT_FOUND -> LeaseOutcome.Reason.NOT_FOUND;
                    case REFUSED_REQUEST_REUSED -> LeaseOutcome.Reason.REQUEST_REUSED;
                    case REFUSED_TOO_MANY_LEASES -> LeaseOutcome.Reason.TOO_MANY_LEASES;
                    case REFUSED_TOO_MANY_REQUEST_IDS -> LeaseOutcome.Reason.TOO_MANY_REQUEST_IDS;
                    case REFUSED_OVERLOADED -> LeaseOutcome.Reason.OVERLOADED;
                    case REFUSED_STATE_FULL -> LeaseOutcome.Reason.STATE_FULL;
                    case REFUSED_UNSPECIFIED, UNRECOGNIZED ->
                        throw new IllegalArgumentException("unknown reason");
                  });
          case OUTCOME_NOT_SET -> throw new IllegalArgumentException("unknown outcome");
        });
  }

  static Renewals renewals(RenewalMessage.Renewals renewals, String replyTo) {
    Renewals.Builder proto = Renewals.newBuilder().setReplyTo(replyTo);
    for (RenewalMessage.Item item : renewals.items()) {
      Renewals.Renewal.Builder one =
          Renewals.Renewal.newBuilder()
              .setNumber(item.number())
              .setShard(item.shard().value())
              .setAgeMs(item.ageMs());
      Renewal renewal = item.renewal();
      if (renewal instanceof Renewal.Look look) {
        one.setOnlyLooks(true);
        renewal = look.at();
      }
      if (renewal instanceof Renewal.OfGrant grant) {
        one.setGrant(
            Renewals.Grant.newBuilder()
                .setKey(grant.key().value())
                .setToken(grant.token().value()));
      } else if (renewal instanceof Renewal.OfRequest request) {
        one.setRequest(
            Renewals.Request.newBuilder()
                .setKey(request.key().value())
                .setRequest(ProtoValues.request(request.request())));
      } else if (renewal instanceof Renewal.OfLease lease) {
        one.setLease(
            io.holdfast.internal.journal.LeaseName.newBuilder()
                .setId(lease.id().value())
                .setIncarnation(lease.incarnation().value()));
      } else {
        throw new AssertionError(renewal);
      }
      proto.addRenewals(one);
    }
    return proto.build();
  }

  /** An older renewal renews nothing either. */
  private static final long MAX_AGE_MS = 60_000;

  static RenewalMessage.Item item(Renewals.Renewal proto) {
    Renewal renewal = renewal(proto);
    return new RenewalMessage.Item(
        proto.getNumber(),
        ShardId.of(proto.getShard()),
        Math.max(0, Math.min(proto.getAgeMs(), MAX_AGE_MS)),
        proto.getOnlyLooks() ? new Renewal.Look(renewal) : renewal);
  }

  private static Renewal renewal(Renewals.Renewal proto) {
    return switch (proto.getTargetCase()) {
      case GRANT ->
          new Renewal.OfGrant(
              new LockKey(proto.getGrant().getKey()),
              new FencingToken(proto.getGrant().getToken()));
      case REQUEST ->
          new Renewal.OfRequest(
              new LockKey(proto.getRequest().getKey()),
              ProtoValues.request(proto.getRequest().getRequest()));
      case LEASE ->
          new Renewal.OfLease(
              new LeaseId(proto.getLease().getId()),
              new Revision(proto.getLease().getIncarnation()));
      case TARGET_NOT_SET -> throw new IllegalArgumentException("unknown renewal");
    };
  }

  static Renewed renewed(RenewalMessage.Renewed renewed) {
    Renewed.Builder proto = Renewed.newBuilder();
    for (RenewalMessage.Answered answered : renewed.answers()) {
      Renewal.Answer answer = answered.answer();
      proto.addAnswers(
          Renewed.Answer.newBuilder()
              .setNumber(answered.number())
              .setAlive(answer.alive())
              .setTtlMs(answer.ttlMs())
              .setToken(answer.token())
              .setPosition(answer.position())
              .setIncarnation(answer.incarnation().value()));
    }
    return proto.build();
  }

  static RenewalMessage.Renewed renewed(Renewed proto) {
    return new RenewalMessage.Renewed(
        proto.getAnswersList().stream()
            .map(
                answer ->
                    new RenewalMessage.Answered(
                        answer.getNumber(),
                        new Renewal.Answer(
                            answer.getAlive(),
                            answer.getTtlMs(),
                            answer.getToken(),
                            answer.getPosition(),
                            new Revision(answer.getIncarnation()))))
            .toList());
  }
}
