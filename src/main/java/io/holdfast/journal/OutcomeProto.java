package io.holdfast.journal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.holdfast.bytes.Bytes;
import io.holdfast.internal.journal.RequestOutcome;
import io.holdfast.lease.rules.RecordedLeaseOutcome;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.Ttl;
import io.holdfast.lock.rules.RecordedOutcome;
import io.holdfast.wire.ProtoValues;

/**
 * Translates the outcomes of requests to and from {@code internal/journal.proto}. The journal keeps
 * them to answer a repeated request.
 */
public final class OutcomeProto {

  private OutcomeProto() {}

  public static Bytes write(RecordedOutcome settled) {
    RequestOutcome.Builder proto = RequestOutcome.newBuilder().setContent(settled.content());
    return bytes(
        settled.match(
            new RecordedOutcome.Cases<>() {
              @Override
              public RequestOutcome.Builder granted(RecordedOutcome.Granted granted) {
                return proto.setGranted(
                    RequestOutcome.WasGranted.newBuilder()
                        .setToken(granted.token().value())
                        .setLife(ProtoValues.life(granted.life())));
              }

              @Override
              public RequestOutcome.Builder notGranted(RecordedOutcome.NotGranted not) {
                return proto.setNotGranted(
                    RequestOutcome.WasNotGranted.newBuilder()
                        .setCause(ProtoValues.cause(not.cause()))
                        .setPosition(not.position()));
              }

              @Override
              public RequestOutcome.Builder released(RecordedOutcome.Released released) {
                return proto.setReleased(
                    RequestOutcome.HasReleased.newBuilder()
                        .setToken(released.token().value())
                        .setCount(released.count()));
              }

              @Override
              public RequestOutcome.Builder forced(RecordedOutcome.Forced forced) {
                return proto.setForced(
                    RequestOutcome.HasForced.newBuilder()
                        .addAllTokens(forced.tokens().stream().map(FencingToken::value).toList()));
              }
            }));
  }

  public static Bytes write(RecordedLeaseOutcome settled) {
    RequestOutcome.Builder proto = RequestOutcome.newBuilder().setContent(settled.content());
    if (settled instanceof RecordedLeaseOutcome.Granted granted) {
      proto.setLeaseGranted(
          RequestOutcome.LeaseWasGranted.newBuilder().setTtlMs(granted.ttl().millis()));
    } else if (settled instanceof RecordedLeaseOutcome.Revoked) {
      proto.setLeaseRevoked(RequestOutcome.LeaseWasRevoked.getDefaultInstance());
    } else {
      throw new AssertionError(settled);
    }
    return bytes(proto);
  }

  /**
   * Reads the outcome of a request to a lock.
   *
   * @throws IllegalArgumentException if the bytes are no such outcome
   */
  public static RecordedOutcome lock(Bytes bytes) {
    RequestOutcome proto = parse(bytes);
    return switch (proto.getOutcomeCase()) {
      case GRANTED ->
          new RecordedOutcome.Granted(
              proto.getContent(),
              new FencingToken(proto.getGranted().getToken()),
              ProtoValues.life(proto.getGranted().getLife()));
      case NOT_GRANTED ->
          new RecordedOutcome.NotGranted(
              proto.getContent(),
              ProtoValues.cause(proto.getNotGranted().getCause()),
              proto.getNotGranted().getPosition());
      case RELEASED ->
          new RecordedOutcome.Released(
              proto.getContent(),
              new FencingToken(proto.getReleased().getToken()),
              proto.getReleased().getCount());
      case FORCED ->
          new RecordedOutcome.Forced(
              proto.getContent(),
              proto.getForced().getTokensList().stream().map(FencingToken::new).toList());
      case LEASE_GRANTED, LEASE_REVOKED, OUTCOME_NOT_SET ->
          throw new IllegalArgumentException("no outcome of a request to a lock");
    };
  }

  /**
   * Reads the outcome of a request to a lease.
   *
   * @throws IllegalArgumentException if the bytes are no such outcome
   */
  public static RecordedLeaseOutcome lease(Bytes bytes) {
    RequestOutcome proto = parse(bytes);
    return switch (proto.getOutcomeCase()) {
      case LEASE_GRANTED ->
          new RecordedLeaseOutcome.Granted(
              proto.getContent(), new Ttl(proto.getLeaseGranted().getTtlMs()));
      case LEASE_REVOKED -> new RecordedLeaseOutcome.Revoked(proto.getContent());
      case GRANTED, NOT_GRANTED, RELEASED, FORCED, OUTCOME_NOT_SET ->
          throw new IllegalArgumentException("no outcome of a request to a lease");
    };
  }

  private static Bytes bytes(RequestOutcome.Builder proto) {
    return Bytes.of(proto.build().toByteArray());
  }

  private static RequestOutcome parse(Bytes bytes) {
    try {
      return RequestOutcome.parseFrom(bytes.array());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("no outcome of a request: " + e.getMessage(), e);
    }
  }
}
