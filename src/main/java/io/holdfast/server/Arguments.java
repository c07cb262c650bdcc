package io.holdfast.server;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command line of a node's process. */
record Arguments(boolean help, boolean version, Optional<Path> configuration) {

  static final String HELP =
      """
      Usage: holdfast-node [--config FILE] [--help] [--version]
      Runs one node of Holdfast, a distributed lock manager, until it gets SIGTERM or SIGINT.

        --config FILE   settings that differ from the defaults (or: HOLDFAST_CONFIG=FILE);
                        docs/configuration.md lists them
        --help          print this and exit
        --version       print the version and exit
      """;

  /**
   * Reads the arguments.
   *
   * @throws StartFailure if they make no sense
   */
  static Arguments parse(List<String> args, Map<String, String> environment) throws StartFailure {
    boolean help = false;
    boolean version = false;
    Optional<Path> configuration =
        Optional.ofNullable(environment.get("HOLDFAST_CONFIG")).map(Path::of);
    for (int i = 0; i < args.size(); i++) {
      switch (args.get(i)) {
        case "--help", "-h" -> help = true;
        case "--version" -> version = true;
        case "--config" -> {
          i++;
          if (i == args.size()) {
            throw new StartFailure(NodeExitCode.USAGE, "--config needs a file; --help tells more");
          }
          configuration = Optional.of(Path.of(args.get(i)));
        }
        default ->
            throw new StartFailure(
                NodeExitCode.USAGE, "unknown argument [" + args.get(i) + "]; --help tells more");
      }
    }
    return new Arguments(help, version, configuration);
  }
}
