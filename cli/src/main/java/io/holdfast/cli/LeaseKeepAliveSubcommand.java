package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.client.Indeterminate;
import io.holdfast.client.Unavailable;
import io.holdfast.v1.LeaseKeepAliveRequest;
import io.holdfast.v1.LeaseKeepAliveResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast lease keep-alive LEASE}. */
@Command(
    name = "keep-alive",
    mixinStandardHelpOptions = true,
    description = {
      "Keeps a shared lease alive until Ctrl-C, with a keepalive every third of its ttl.",
      "It ends with exit code 76 when the lease has ended."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  holdfast lease keep-alive 42", "  holdfast lease keep-alive 42 --once"})
final class LeaseKeepAliveSubcommand implements Callable<Integer> {

  private static final int SIGNS_A_TTL = 3;
  private static final long PAUSE_MS = 500;

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--once", description = "Sends one keepalive, and ends.")
  private boolean once;

  @Parameters(paramLabel = "LEASE", index = "0", description = "Its id.")
  private long lease;

  private long incarnation;
  private long ttlMs;
  private long keptAt;

  @Override
  public Integer call() throws InterruptedException {
    try (HoldfastClient client = connection.openLasting()) {
      while (true) {
        long pauseMs = PAUSE_MS;
        try {
          if (!keep(client)) {
            Notices.of(spec).warn("lease [" + lease + "] is not alive");
            return ExitCode.NOT_HELD.number();
          }
          pauseMs = ttlMs / SIGNS_A_TTL;
        } catch (Unavailable | Indeterminate e) {
          if (once || ttlMs == 0 || System.nanoTime() - keptAt > ms(ttlMs)) {
            throw e;
          }
          Notices.of(spec).warn("no keepalive was acknowledged: " + e.getMessage());
        }
        if (once) {
          return ExitCode.OK.number();
        }
        TimeUnit.MILLISECONDS.sleep(pauseMs);
      }
    }
  }

  private boolean keep(HoldfastClient client) {
    long askedAt = System.nanoTime();
    LeaseKeepAliveResponse answer =
        client
            .calls()
            .ask(
                LockServiceGrpc.getLeaseKeepAliveMethod(),
                LeaseKeepAliveRequest.newBuilder()
                    .setLeaseId(lease)
                    .setIncarnation(incarnation) // a later lease of the same id is another one
                    .build());
    if (!answer.getAlive()) {
      return false;
    }
    incarnation = answer.getIncarnation();
    ttlMs = answer.getGrantedTtlMs();
    keptAt = askedAt;
    output.show(
        Fields.of("leaseId", lease).and("incarnation", incarnation).and("ttlMs", ttlMs),
        "lease %d lives on for %d ms".formatted(lease, ttlMs));
    return true;
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
