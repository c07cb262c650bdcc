package io.holdfast.grpc.admin;

import io.grpc.StatusRuntimeException;
import io.holdfast.coordination.AdminRefused;
import io.holdfast.coordination.Administration.ClusterView;
import io.holdfast.coordination.Administration.NodeLease;
import io.holdfast.grpc.translate.StatusMapping;
import io.holdfast.v1.LeaderHint;
import io.holdfast.v1.Reason;
import io.holdfast.v1.Refusal;
import java.util.concurrent.CompletionException;

/** Translates the refusals of operators' changes, and unknown outcomes. */
final class AdminRefusals {

  private AdminRefusals() {}

  /** Returns the error for a failed change, with the leader if another node was asked. */
  static StatusRuntimeException error(Throwable failure, ClusterView cluster) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (!(cause instanceof AdminRefused refused)) {
      return StatusMapping.error(
          Reason.REASON_INDETERMINATE,
          "the leader has changed: check if the members are as requested");
    }
    Refusal.Builder refusal =
        Refusal.newBuilder()
            .setReason(reason(refused.reason()))
            .setMessage(String.valueOf(refused.getMessage()));
    if (refused.reason() == AdminRefused.Reason.NOT_LEADER && cluster.leader() != 0) {
      String endpoint = endpoint(cluster);
      refusal
          .setMessage(
              "%s; [%s] at [%s] does"
                  .formatted(refused.getMessage(), Long.toHexString(cluster.leader()), endpoint))
          .setLeader(LeaderHint.newBuilder().setMemberId(cluster.leader()).setEndpoint(endpoint));
    }
    return StatusMapping.error(refusal);
  }

  private static String endpoint(ClusterView cluster) {
    return cluster.members().stream()
        .filter(member -> member.id() == cluster.leader())
        .flatMap(member -> member.lease().stream())
        .map(NodeLease::endpoint)
        .findFirst()
        .orElse("");
  }

  private static Reason reason(AdminRefused.Reason reason) {
    return switch (reason) {
      case NOT_LEADER -> Reason.REASON_NOT_LEADER;
      case NO_LEADER -> Reason.REASON_NO_MAJORITY;
      case CHANGE_PENDING -> Reason.REASON_CHANGE_PENDING;
      case NO_SUCH_MEMBER -> Reason.REASON_MEMBER_NOT_FOUND;
      case MEMBER_EXISTS -> Reason.REASON_MEMBER_EXISTS;
      case NOT_ELIGIBLE -> Reason.REASON_MEMBER_NOT_ELIGIBLE;
      case NOT_CAUGHT_UP -> Reason.REASON_NOT_CAUGHT_UP;
      case NOT_TAKEN_OVER -> Reason.REASON_NOT_TAKEN_OVER;
      case TOO_MANY_MEMBERS -> Reason.REASON_TOO_MANY_MEMBERS;
      case OVERLOADED -> Reason.REASON_OVERLOADED;
      case STOPPING -> Reason.REASON_LEAVING;
    };
  }
}
