package io.holdfast.cli;

import io.holdfast.client.Grant;
import io.holdfast.client.HoldfastClient;
import io.holdfast.client.HoldfastException;
import io.holdfast.client.LossReason;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast lock KEY [-- COMMAND ...]}. */
@Command(
    name = "lock",
    mixinStandardHelpOptions = true,
    description = {
      "Waits for a lock and runs a command while holding it.",
      "The command finds HOLDFAST_KEY and HOLDFAST_TOKEN in its environment, and its exit code is"
          + " passed on. Without a command: prints the fencing token, and holds the lock until the"
          + " end of input, or Ctrl-C.",
      "The lock is renewed while the command runs. If it is lost all the same, a warning is"
          + " printed and the exit code is 76; the command goes on, or is ended with --on-loss"
          + " kill. --ttl says for how long others wait after this process was killed.",
      "When this process is told to end (SIGTERM, SIGINT, SIGHUP), so is the command, by SIGTERM;"
          + " after --grace it is killed. Then the lock is released."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast lock backup -- pg_dump -f /backup/today shop",
      "  holdfast lock orders/42 --timeout 0s -- ./only-if-free.sh",
      "  holdfast lock leader --timeout 24h --on-loss kill --grace 2s -- ./serve.sh"
    })
final class LockSubcommand implements Callable<Integer> {

  /** The reaction to the loss of the lock while the command runs. */
  enum OnLoss {
    WARN,
    KILL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin private final LockConnection connection = new LockConnection();
  @Mixin private final LifeOption life = new LifeOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "1m",
      converter = DurationText.class,
      description = "How long to wait for others, up to 24h. Default: ${DEFAULT-VALUE}.")
  private Duration timeout = Duration.ZERO;

  @Option(
      names = "--on-loss",
      paramLabel = "WHAT",
      defaultValue = "warn",
      description =
          "What to do with the command when the lock is lost: ${COMPLETION-CANDIDATES}. Default:"
              + " ${DEFAULT-VALUE}.")
  private OnLoss onLoss = OnLoss.WARN;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      defaultValue = "5s",
      converter = DurationText.class,
      description =
          "How long the command may take to end before it is killed. Default: ${DEFAULT-VALUE}.")
  private Duration grace = Duration.ZERO;

  @Parameters(paramLabel = "KEY", index = "0", description = "The lock.")
  private String key = "";

  @Parameters(
      paramLabel = "-- COMMAND",
      index = "1..*",
      arity = "0..*",
      description = "What to run, with its arguments; after --.")
  private List<String> command = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    Notices notices = Notices.of(spec);
    try (HoldfastClient client = connection.openLasting()) {
      Grant grant = new Waiting(client, key, notices).await(life.ttl(), timeout);
      try (Watchman watchman = new Watchman(grant, grace)) {
        return command.isEmpty() ? hold(watchman) : run(watchman);
      }
    }
  }

  private int hold(Watchman watchman) throws InterruptedException {
    spec.commandLine().getOut().println(watchman.grant().fencingToken());
    spec.commandLine().getOut().flush();
    if (!watchman.awaitEndOfInput(System.in)) {
      warn("lock [" + key + "] was lost, others may hold it now: " + reason(watchman));
      return ExitCode.NOT_HELD.number();
    }
    return ended(watchman, ExitCode.OK.number());
  }

  private int run(Watchman watchman) throws InterruptedException {
    Process process;
    try {
      process = watchman.start(command);
    } catch (IOException e) {
      warn("cannot run [" + command.get(0) + "]: " + e.getMessage());
      return ExitCode.CANNOT_RUN.number();
    }
    if (!watchman.awaitEnd(process)) {
      warn("lock [" + key + "] was lost while the command runs: " + reason(watchman));
      if (onLoss == OnLoss.KILL) {
        watchman.end(process);
      }
      int code = process.waitFor();
      warn("the command has ended with exit code [" + code + "] after that");
      return ExitCode.NOT_HELD.number();
    }
    return ended(watchman, process.exitValue());
  }

  /** The end in time, as far as our clock can tell; the release tells for sure. */
  private int ended(Watchman watchman, int code) {
    try {
      if (!watchman.grant().release()) {
        warn("lock [" + key + "] had ended before it was released");
        return ExitCode.NOT_HELD.number();
      }
    } catch (HoldfastException e) {
      warn("lock [" + key + "] was not released and ends with its ttl: " + e.getMessage());
    }
    return code;
  }

  private static String reason(Watchman watchman) {
    return watchman.grant().lost().map(LossReason::name).orElse("not surely held");
  }

  private void warn(String message) {
    Notices.of(spec).warn(message);
  }
}
