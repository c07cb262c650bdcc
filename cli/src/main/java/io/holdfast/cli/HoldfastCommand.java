package io.holdfast.cli;

import io.grpc.Status;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.Indeterminate;
import io.holdfast.client.LockNotAcquired;
import io.holdfast.client.NotSurelyHeld;
import io.holdfast.client.RequestRefused;
import io.holdfast.v1.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command {@code holdfast}. What goes wrong is one line on stderr and an {@link ExitCode}. */
@Command(
    name = "holdfast",
    description =
        "Takes, releases and shows the locks of a Holdfast cluster, and runs the cluster.",
    mixinStandardHelpOptions = true,
    versionProvider = HoldfastCommand.Version.class,
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast lock backup -- pg_dump -f /backup/today shop",
      "  holdfast lock orders/42 --timeout 1m",
      "  token=$$(holdfast try-lock deploy --ttl 15m) && ./deploy.sh",
      "  holdfast unlock deploy \"$$token\"",
      "  holdfast get deploy --output json",
      "  holdfast list orders/",
      "  holdfast watch --prefix orders/",
      "  holdfast status"
    })
public final class HoldfastCommand implements Runnable {

  private static final List<Class<?>> SUBCOMMANDS =
      List.of(
          LockSubcommand.class,
          TryLockSubcommand.class,
          UnlockSubcommand.class,
          GetSubcommand.class,
          ListSubcommand.class,
          WatchSubcommand.class,
          ForceUnlockSubcommand.class,
          LeaseSubcommand.class,
          StatusSubcommand.class,
          MemberSubcommand.class,
          SnapshotSubcommand.class,
          CompletionSubcommand.class);

  /** Refusals that say: what was named is not held any more. */
  private static final Set<Reason> GONE =
      Set.of(Reason.REASON_NOT_HOLDER, Reason.REASON_LEASE_NOT_FOUND);

  @Spec private CommandSpec spec = CommandSpec.create();

  public static void main(String[] args) {
    QuietEnd.prepare();
    System.exit(commandLine(args).execute(args));
  }

  /** The command, for who runs it in a process of theirs. */
  public static CommandLine commandLine() {
    return commandLine(new String[0]);
  }

  /**
   * The command for these arguments: if they call a subcommand, with that one alone. To look at all
   * of them would take a good part of the time of a short command.
   */
  static CommandLine commandLine(String[] args) {
    CommandLine line = new CommandLine(new HoldfastCommand());
    List<Class<?>> called =
        SUBCOMMANDS.stream()
            .filter(each -> args.length > 0 && name(each).equals(args[0]))
            .filter(each -> each != CompletionSubcommand.class) // which is about all of them
            .toList();
    (called.isEmpty() ? SUBCOMMANDS : called).forEach(line::addSubcommand);
    addExitCodes(line);
    return line.setParameterExceptionHandler(HoldfastCommand::onWrongArguments)
        .setExecutionExceptionHandler(HoldfastCommand::onFailure)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExpandAtFiles(false); // a key may begin with @, and it reads no file
  }

  private static String name(Class<?> subcommand) {
    return subcommand.getAnnotation(Command.class).name();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  private static void addExitCodes(CommandLine line) {
    line.getSubcommands().values().forEach(HoldfastCommand::addExitCodes);
    line.getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.table());
  }

  private static int onWrongArguments(ParameterException wrong, String[] args) {
    return fail(wrong.getCommandLine(), ExitCode.USAGE, wrong.getMessage() + "; --help tells more");
  }

  private static int onFailure(Exception failure, CommandLine line, ParseResult args) {
    return fail(
        line,
        exitCode(failure),
        isUnknownThere(failure) ? otherPort(line) : String.valueOf(failure.getMessage()));
  }

  /** Nodes serve locks at one port and administration at another. */
  private static boolean isUnknownThere(Exception failure) {
    return failure instanceof HoldfastException
        && Status.fromThrowable(failure).getCode() == Status.Code.UNIMPLEMENTED;
  }

  private static String otherPort(CommandLine line) {
    return line.getCommandSpec().findOption(AdminConnection.OPTION) != null
        ? "this is the clients' port: nodes take administration at another one, 7405 unless set"
            + " otherwise, which --admin-endpoint names"
        : "this is no clients' port: nodes serve locks at another one, 7400 unless set otherwise,"
            + " which --endpoint names";
  }

  private static int fail(CommandLine line, ExitCode code, String message) {
    String inOneLine = String.join(" ", List.of(message.split("\\R")));
    line.getErr().println("holdfast: " + Shown.text(inOneLine));
    line.getErr().flush();
    return code.number();
  }

  static ExitCode exitCode(Exception failure) {
    if (failure instanceof InterruptedException) {
      return ExitCode.INTERRUPTED;
    } else if (failure instanceof IllegalArgumentException) {
      return ExitCode.USAGE;
    } else if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      return ExitCode.FILE;
    } else if (failure instanceof NoAnswer) {
      return ExitCode.UNAVAILABLE;
    } else if (!(failure instanceof HoldfastException)) {
      return ExitCode.INTERNAL;
    } else if (failure instanceof RequestRefused refused) {
      return GONE.contains(refused.reason()) ? ExitCode.NOT_HELD : ExitCode.REFUSED;
    } else if (failure instanceof LockNotAcquired) {
      return ExitCode.NOT_ACQUIRED;
    } else if (failure instanceof NotSurelyHeld) {
      return ExitCode.NOT_HELD;
    } else if (failure instanceof Indeterminate) {
      return ExitCode.INDETERMINATE;
    }
    return ExitCode.UNAVAILABLE;
  }

  /** The version of this build, as its jar says. */
  static final class Version implements CommandLine.IVersionProvider {

    @Override
    public String[] getVersion() {
      String version = HoldfastCommand.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (version == null ? "from source" : version)};
    }
  }
}
