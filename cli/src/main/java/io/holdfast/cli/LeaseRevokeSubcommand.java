package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.LeaseRevokeRequest;
import io.holdfast.v1.LeaseRevokeResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast lease revoke LEASE}. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = "Ends a shared lease at once, with all its locks and waiting requests.",
    footerHeading = "%nExample:%n",
    footer = "  holdfast lease revoke 42")
final class LeaseRevokeSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();

  @Parameters(paramLabel = "LEASE", index = "0", description = "Its id.")
  private long lease;

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      LeaseRevokeResponse ended =
          client
              .calls()
              .ask(
                  LockServiceGrpc.getLeaseRevokeMethod(),
                  LeaseRevokeRequest.newBuilder()
                      .setLeaseId(lease)
                      .setRequestId(UUID.randomUUID().toString())
                      .setClientId(client.calls().clientId())
                      .build());
      output.show(
          Fields.of("leaseId", lease).and("releasedCount", ended.getReleasedCount()),
          "lease %d has ended, and %d grants with it".formatted(lease, ended.getReleasedCount()));
    }
    return ExitCode.OK.number();
  }
}
