package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.LeaseGrantRequest;
import io.holdfast.v1.LeaseGrantResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code holdfast lease grant}. */
@Command(
    name = "grant",
    mixinStandardHelpOptions = true,
    description = "Makes a shared lease, and prints its id. Nobody keeps it alive yet.",
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast lease grant --ttl 1m", "  holdfast lease grant --ttl 10s --id 42"})
final class LeaseGrantSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();

  @Option(
      names = "--ttl",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = DurationText.class,
      description =
          "The time for which it lasts without a keepalive, 1s to 10m. Default: ${DEFAULT-VALUE}.")
  private Duration ttl = Duration.ZERO;

  @Option(
      names = "--id",
      paramLabel = "ID",
      defaultValue = "0",
      description = "The id it shall have. Default: any that is free.")
  private long id;

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      LeaseGrantResponse lease =
          client
              .calls()
              .ask(
                  LockServiceGrpc.getLeaseGrantMethod(),
                  LeaseGrantRequest.newBuilder()
                      .setTtlMs(ttl.toMillis())
                      .setLeaseId(id)
                      .setRequestId(UUID.randomUUID().toString())
                      .setClientId(client.calls().clientId())
                      .build());
      output.show(
          Fields.of("leaseId", lease.getLeaseId())
              .and("incarnation", lease.getIncarnation())
              .and("ttlMs", lease.getGrantedTtlMs()),
          Long.toString(lease.getLeaseId()));
    }
    return ExitCode.OK.number();
  }
}
