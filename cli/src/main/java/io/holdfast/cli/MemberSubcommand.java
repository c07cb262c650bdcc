package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast member ...}. */
@Command(
    name = "member",
    mixinStandardHelpOptions = true,
    description = "Who belongs to the cluster, and how it changes.",
    subcommands = {
      MemberListSubcommand.class,
      MemberAddSubcommand.class,
      MemberPromoteSubcommand.class,
      MemberRemoveSubcommand.class,
      MemberTransferSubcommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast member list",
      "  holdfast member add 10.0.0.4:7403",
      "  holdfast member promote 28ce0cfd174aa440",
      "  holdfast member transfer",
      "  holdfast member remove 4497634209940337"
    })
final class MemberSubcommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing after [member]");
  }
}
