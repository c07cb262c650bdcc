package io.holdfast.bench;

import io.holdfast.bench.cluster.FailOver;
import io.holdfast.bench.cluster.Freeze;
import io.holdfast.bench.cluster.Leave;
import io.holdfast.bench.cluster.Partitions;
import io.holdfast.bench.floods.Floods;
import io.holdfast.bench.locks.Locks;
import io.holdfast.bench.persist.Persist;
import io.holdfast.bench.raft.Raft;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code bench} with a subcommand per kind of load. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Puts load on a running cluster, and says what it took.",
    subcommands = {
      Raft.class,
      Persist.class,
      Locks.class,
      Floods.class,
      FailOver.class,
      Freeze.class,
      Leave.class,
      Partitions.class
    })
public final class Bench {

  private Bench() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command as it is started from a line. */
  public static CommandLine commandLine() {
    return new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
  }
}
