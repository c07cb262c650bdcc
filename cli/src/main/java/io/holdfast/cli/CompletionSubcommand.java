package io.holdfast.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code holdfast completion}. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a script with which bash and zsh complete the commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(holdfast completion)",
      "  holdfast completion > ~/.local/share/bash-completion/completions/holdfast"
    })
final class CompletionSubcommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(AutoComplete.bash("holdfast", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
    return ExitCode.OK.number();
  }
}
