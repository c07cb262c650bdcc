package io.holdfast.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.cli.HoldfastCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The command line after one run of it, in this process. */
record Ran(int code, String out, String err) {

  private static final Set<String> OF_OPERATORS = Set.of("status", "member", "snapshot");

  /** The option by which a command is told where to connect. */
  static String option(String command) {
    return OF_OPERATORS.contains(command) ? "--admin-endpoint" : "--endpoint";
  }

  /** Runs a command against these nodes; none for a command that has no use for them. */
  static Ran run(String endpoints, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    int end = all.contains("--") ? all.indexOf("--") : all.size();
    all.addAll(end, endpoints.isEmpty() ? List.of() : List.of(option(arguments[0]), endpoints));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        HoldfastCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Ran(code, out.toString().strip(), err.toString().strip());
  }

  /** The result of a command that must succeed. */
  static String ok(String endpoints, String... arguments) {
    Ran ran = run(endpoints, arguments);
    assertEquals(0, ran.code(), ran::toString);
    return ran.out();
  }

  /** Starts a process of its own that runs this command. */
  static List<String> process(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.holdfast.cli.HoldfastCommand"));
    all.addAll(List.of(arguments));
    return all;
  }

  /** Starts a process whose output, both of it, goes to the file. */
  static Process start(Path output, List<String> command) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
