package holdfast.cli;

import holdfast.client.HoldfastClient;
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
    footerHeading = "%nExample:%n",
    footer = "  token=$$(holdfast try-lock deploy --ttl 15m) || exit")
final class TryLockSubcommand implements Callable<Integer> {

  @Mixin private final Connection connection = new Connection();
  @Mixin private final LifeOption life = new LifeOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      OptionalLong token = client.take(key, life.ttl());
      if (token.isPresent()) {
        spec.commandLine().getOut().println(token.getAsLong());
        return ExitCode.OK.number();
      }
    }
    spec.commandLine().getErr().println("holdfast: lock [" + key + "] is not free");
    return ExitCode.NOT_ACQUIRED.number();
  }
}
