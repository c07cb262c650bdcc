package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast unlock KEY TOKEN}. */
@Command(
    name = "unlock",
    mixinStandardHelpOptions = true,
    description = "Releases a lock by the fencing token it is held under.",
    footerHeading = "%nExample:%n",
    footer = "  holdfast unlock deploy 1099511627777")
final class UnlockSubcommand implements Callable<Integer> {

  @Mixin private final LockConnection connection = new LockConnection();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Parameters(paramLabel = "TOKEN", index = "1", description = "The fencing token.")
  private long token;

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      if (client.unlock(key, token)) {
        return ExitCode.OK.number();
      }
    }
    Notices.of(spec).warn("token [" + token + "] is not held on lock [" + key + "]");
    return ExitCode.NOT_HELD.number();
  }
}
