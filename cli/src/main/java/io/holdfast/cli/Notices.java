package io.holdfast.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/** Prints warnings and progress to stderr, beside the result of a command on stdout. */
final class Notices {

  private static final Path STDERR = Path.of("/proc/self/fd/2");
  private static final List<String> TERMINALS = List.of("/dev/pts/", "/dev/tty", "/dev/console");
  private static final String TO_THE_BEGINNING = "\r\u001b[K";

  private final CommandSpec command;
  private final boolean isTerminal;
  private boolean isShown;

  private Notices(CommandSpec command, boolean isTerminal) {
    this.command = command;
    this.isTerminal = isTerminal;
  }

  static Notices of(CommandSpec command) {
    return new Notices(command, isTerminal());
  }

  /** A line that stays. */
  void warn(String message) {
    endProgress();
    err().println("holdfast: " + Shown.text(message));
    err().flush();
  }

  /** Shows progress, in a line that the next one takes the place of. Only on a terminal. */
  void progress(String message) {
    if (isTerminal) {
      isShown = true;
      err().print(TO_THE_BEGINNING + "holdfast: " + Shown.text(message));
      err().flush();
    }
  }

  boolean wantsProgress() {
    return isTerminal;
  }

  /** Takes the line of progress away. */
  void endProgress() {
    if (isShown) {
      isShown = false;
      err().print(TO_THE_BEGINNING);
      err().flush();
    }
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }

  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(STDERR).toString();
      return TERMINALS.stream().anyMatch(target::startsWith);
    } catch (IOException e) {
      return Ansi.AUTO.enabled(); // a system that does not say so: as it is with colours
    }
  }
}
