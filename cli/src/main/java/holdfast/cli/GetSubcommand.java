package holdfast.cli;

import holdfast.client.HoldfastClient;
import holdfast.client.LockStatus;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast get KEY}. */
@Command(
    name = "get",
    mixinStandardHelpOptions = true,
    description = "Shows who holds a lock and how many wait for it.",
    footerHeading = "%nExample:%n",
    footer = "  holdfast get orders/42 --output json")
final class GetSubcommand implements Callable<Integer> {

  enum Output {
    TABLE,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin private final Connection connection = new Connection();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--output",
      paramLabel = "FORM",
      defaultValue = "table",
      description = "One of: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}.")
  private Output output = Output.TABLE;

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Override
  public Integer call() {
    try (HoldfastClient client = connection.open()) {
      LockStatus status = client.get(key);
      spec.commandLine()
          .getOut()
          .println(output == Output.JSON ? StatusText.json(status) : StatusText.table(status));
    }
    return ExitCode.OK.number();
  }
}
