package io.holdfast.bench.raft;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** One thing to do with a group, in a directory that is removed afterwards. */
public abstract class Scenario implements Callable<Integer> {

  @Spec protected CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--directory",
      paramLabel = "PATH",
      description = "Where the members keep their data. Default: a new temporary directory.")
  @Nullable Path directory;

  /** Says whether everything was as it must be. */
  protected abstract boolean run(Path root, PrintWriter out) throws IOException;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Path parent = directory;
    Path root =
        parent == null
            ? Files.createTempDirectory("holdfast-raft")
            : Files.createTempDirectory(Files.createDirectories(parent), "raft");
    try {
      boolean good = run(root, out);
      out.flush();
      return good ? 0 : 1;
    } finally {
      remove(root);
    }
  }

  static void remove(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
