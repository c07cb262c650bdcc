package io.holdfast.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The exit codes of commands. With {@code lock} the exit code of the command that it ran is passed
 * on. Scripts may rely on them.
 */
enum ExitCode {
  OK(0, "done"),
  UNWELL(1, "the status tells of a problem"),
  USAGE(64, "the arguments make no sense"),
  REFUSED(65, "the server refused the request; nothing has changed"),
  UNAVAILABLE(69, "no node could serve the request; nothing has changed"),
  INTERNAL(70, "a fault of the program"),
  FILE(74, "a file cannot be read or written, or is damaged"),
  NOT_ACQUIRED(75, "others held the lock; nothing was run"),
  NOT_HELD(76, "the token or lease is not held, or the lock was lost while the command ran"),
  INDETERMINATE(77, "no answer came; the request may have had an effect"),
  CANNOT_RUN(126, "the command could not be started; the lock was released"),
  INTERRUPTED(130, "interrupted, as by Ctrl-C"),
  TERMINATED(143, "told to end by SIGTERM"); // Java's own number for it

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  int number() {
    return number;
  }

  static Map<String, String> table() {
    Map<String, String> table = new LinkedHashMap<>();
    for (ExitCode code : values()) {
      table.put(String.valueOf(code.number), code.meaning);
    }
    return table;
  }
}
