package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast try-lock KEY}. */
@Command(
    name = "try-lock",
    mixinStandardHelpOptions = true,
    description = {
      "Takes a lock if it is free, prints its fencing token, and ends.",
      "The lock stays held until `holdfast unlock KEY TOKEN` or the end of its ttl."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  token=$$(holdfast try-lock deploy --ttl 15m) || exit",
      "  holdfast try-lock deploy --ttl 15m --output json"
    })
final class TryLockSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final Output output = new Output();
  @Mixin private final LifeOption life = new LifeOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      OptionalLong token = client.take(key, life.ttl());
      if (token.isPresent()) {
        output.show(
            Fields.of("key", key)
                .and("fencingToken", token.getAsLong())
                .and("ttlMs", life.ttl().toMillis()),
            Long.toString(token.getAsLong()));
        return ExitCode.OK.number();
      }
    }
    Notices.of(spec).warn("lock [" + key + "] is not free");
    return ExitCode.NOT_ACQUIRED.number();
  }
}
