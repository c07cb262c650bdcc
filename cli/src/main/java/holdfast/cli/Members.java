package holdfast.cli;

import holdfast.client.HoldfastClient;
import holdfast.v1.AdminServiceGrpc;
import holdfast.v1.MemberRecord;
import holdfast.v1.StatusRequest;
import holdfast.v1.StatusResponse;
import io.grpc.MethodDescriptor;

/** Asks the member for a change that leads, which is found by asking any. */
final class Members {

  private Members() {}

  static StatusResponse status(HoldfastClient client) {
    return client
        .calls()
        .read(AdminServiceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance());
  }

  /** Asks for a change. A repetition does no harm, by the contract. */
  static <Q, A> A change(Connection connection, MethodDescriptor<Q, A> method, Q request) {
    String leader;
    try (HoldfastClient any = connection.openLasting()) {
      leader =
          status(any).getMembersList().stream()
              .filter(MemberRecord::getLeader)
              .map(member -> member.getSession().getEndpoint())
              .findFirst()
              .orElse("");
    }
    // Who leads may change, or be out of reach by the address it tells: then the others are asked.
    try (HoldfastClient client =
        leader.isEmpty() ? connection.openLasting() : connection.openFirst(leader)) {
      return client.calls().ask(method, request);
    }
  }
}
