package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code holdfast snapshot inspect FILE}. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = "Checks every byte of a saved snapshot, and shows what it is of. Asks no node.",
    footerHeading = "%nExample:%n",
    footer = "  holdfast snapshot inspect backup.holdfast --output json")
final class SnapshotInspectSubcommand implements Callable<Integer> {

  @Mixin private final Output output = new Output();

  @Parameters(paramLabel = "FILE", index = "0", description = "The file.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws IOException {
    SnapshotText.show(output, file);
    return ExitCode.OK.number();
  }
}
