package io.holdfast.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code holdfast snapshot ...}. */
@Command(
    name = "snapshot",
    mixinStandardHelpOptions = true,
    description = "Copies of the whole state, as files.",
    subcommands = {SnapshotSaveSubcommand.class, SnapshotInspectSubcommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast snapshot save backup.holdfast",
      "  holdfast snapshot inspect backup.holdfast --output json"
    })
final class SnapshotSubcommand implements Runnable {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing after [snapshot]");
  }
}
