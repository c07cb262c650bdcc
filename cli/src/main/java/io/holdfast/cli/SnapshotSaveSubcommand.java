package io.holdfast.cli;

import io.holdfast.client.HoldfastClient;
import io.holdfast.v1.AdminServiceGrpc;
import io.holdfast.v1.SnapshotRequest;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast snapshot save FILE}. */
@Command(
    name = "save",
    mixinStandardHelpOptions = true,
    description = {
      "Saves the state of the cluster at one revision in a file.",
      "The file is there as a whole or not at all; it is checked as it comes and forced to disk."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast snapshot save backup.holdfast",
      "  holdfast snapshot save backup.holdfast --force --stale"
    })
final class SnapshotSaveSubcommand implements Callable<Integer> {

  @Mixin private final AdminConnection connection = new AdminConnection();
  @Mixin private final Output output = new Output();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--force", description = "Takes the place of a file that is there.")
  private boolean force;

  @Option(
      names = "--stale",
      description = "What the asked node knows, which may be old; also without a majority.")
  private boolean stale;

  @Parameters(paramLabel = "FILE", index = "0", description = "Where to.")
  private Path file = Path.of("");

  @Override
  public Integer call() throws IOException {
    if (!force && Files.exists(file)) {
      throw new FileAlreadyExistsException("[" + file + "] is there already: --force replaces it");
    }
    Notices notices = Notices.of(spec);
    try (HoldfastClient client = connection.openLasting();
        SnapshotSaving saving =
            new SnapshotSaving(
                file, bytes -> notices.progress("[%,d] bytes have come".formatted(bytes)))) {
      client
          .calls()
          .readAll(
              AdminServiceGrpc.getSnapshotMethod(),
              SnapshotRequest.newBuilder().setSerializable(stale).build(),
              saving::take);
      saving.finish();
    } finally {
      notices.endProgress();
    }
    SnapshotText.show(output, file);
    return ExitCode.OK.number();
  }
}
