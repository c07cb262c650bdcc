package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.ForceUnlockRequest;
import io.holdfast.v1.ForceUnlockResponse;
import io.holdfast.v1.LockServiceGrpc;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast force-unlock KEY}. */
@Command(
    name = "force-unlock",
    mixinStandardHelpOptions = true,
    description = {
      "Takes a lock away from its holder, and grants it to the next waiter.",
      "The holder is not stopped: it learns of it at its next renewal, and until then only a store"
          + " that checks fencing tokens stops it. Who did it and why is public: watches tell it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast force-unlock deploy --token 140737488420866 --reason 'host is gone'",
      "  holdfast force-unlock deploy --any --reason 'drill' --who night-shift"
    })
final class ForceUnlockSubcommand implements Callable<Integer> {

  /** The grant to end: the one with this token, or any. */
  static final class Target {

    @Option(
        names = "--token",
        paramLabel = "TOKEN",
        required = true,
        description = "Only the grant with this fencing token, as `get` shows it.")
    private long token;

    @Option(names = "--any", required = true, description = "Whoever holds it by then.")
    private boolean any;
  }

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();

  @ArgGroup(multiplicity = "1")
  private Target target = new Target();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "Why; for everyone to see.")
  private String reason = "";

  @Option(
      names = "--who",
      paramLabel = "NAME",
      description = "Who does it; told with the reason. Default: user and host.")
  private String who = ConnectionOptions.who();

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Override
  public Integer call() {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("--reason says nothing");
    } else if (!target.any && target.token <= 0) {
      throw new IllegalArgumentException("--token [" + target.token + "] is not positive");
    }
    try (HoldfastClient client = connection.open()) {
      ForceUnlockResponse taken =
          client
              .calls()
              .ask(
                  LockServiceGrpc.getForceUnlockMethod(),
                  ForceUnlockRequest.newBuilder()
                      .setKey(key)
                      .setFencingToken(target.token)
                      .setForceReason(who + ": " + reason)
                      .setRequestId(UUID.randomUUID().toString())
                      .setClientId(client.calls().clientId())
                      .build());
      output.show(
          Fields.of("key", key).and("fencingTokens", taken.getFencingTokensList()),
          taken.getFencingTokensCount() == 0
              ? Shown.text(key) + " was free"
              : Shown.text(key)
                  + " was taken from "
                  + taken.getFencingTokensList().stream()
                      .map(String::valueOf)
                      .collect(Collectors.joining(", ")));
    }
    return ExitCode.OK.number();
  }
}
