package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast lease ...}. */
@Command(
    name = "lease",
    mixinStandardHelpOptions = true,
    description = "Shared leases: the life of many locks at once.",
    subcommands = {
      LeaseGrantSubcommand.class,
      LeaseRevokeSubcommand.class,
      LeaseKeepAliveSubcommand.class,
      LeaseListSubcommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  lease=$$(holdfast lease grant --ttl 1m)",
      "  holdfast lease keep-alive \"$$lease\" &",
      "  holdfast lease revoke \"$$lease\""
    })
final class LeaseSubcommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing after [lease]");
  }
}
