package io.holdfast.grpc.watch;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.holdfast.config.WatchSettings;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import io.holdfast.watch.WatchAnswer;

/**
 * The refusals of watches, and the reasons for their end. They are part of an answer, since the
 * stream goes on.
 */
public final class WatchRefusals {

  private final WatchSettings limits;

  WatchRefusals(WatchSettings limits) {
    this.limits = limits;
  }

  public Refusal of(WatchAnswer.Ended ended) {
    return switch (ended.why()) {
      case CANCELLED -> refusal(Reason.REASON_CANCELLED, "the watch was ended by its client");
      case COMPACTED ->
          refusal(
              Reason.REASON_COMPACTED,
              "the changes before revision [" + ended.available() + "] are no longer kept");
      case SLOW_CONSUMER ->
          refusal(Reason.REASON_SLOW_CONSUMER, "the watch was not read fast enough");
      case LEAVING -> refusal(Reason.REASON_LEAVING, "this node is stopping");
      case NOT_FOUND ->
          refusal(
              Reason.REASON_WATCH_NOT_FOUND, "the stream has no watch_id [" + ended.watch() + "]");
      case EXISTS ->
          refusal(
              Reason.REASON_WATCH_EXISTS,
              "the stream has a watch_id [" + ended.watch() + "] already");
      case TOO_MANY_ON_STREAM -> tooMany("stream", limits.maxPerStream());
      case TOO_MANY_ON_NODE -> tooMany("node", limits.maxPerNode());
    };
  }

  /** Returns the refusal that an error carries. */
  public static Refusal of(StatusRuntimeException error) {
    com.google.rpc.Status status = StatusProto.fromThrowable(error);
    try {
      if (status != null && status.getDetailsCount() > 0) {
        return status.getDetails(0).unpack(Refusal.class);
      }
    } catch (InvalidProtocolBufferException e) {
      error.addSuppressed(e);
    }
    throw error;
  }

  private static Refusal tooMany(String where, int maximum) {
    return complete(
        Refusal.newBuilder()
            .setReason(Reason.REASON_TOO_MANY_WATCHES)
            .setMessage("the " + where + " has its maximum of [" + maximum + "] watches")
            .setMaximum(maximum));
  }

  private static Refusal refusal(Reason reason, String message) {
    return complete(Refusal.newBuilder().setReason(reason).setMessage(message));
  }

  private static Refusal complete(Refusal.Builder refusal) {
    return refusal
        .setCode(StatusMapping.code(refusal.getReason()).getNumber())
        .setEffect(StatusMapping.effect(refusal.getReason()))
        .build();
  }
}
