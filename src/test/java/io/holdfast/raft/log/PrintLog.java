package io.holdfast.raft.log;

import java.io.IOException;
import java.nio.file.Path;

/** Prints a log directory: {@code PrintLog <directory>}. */
final class PrintLog {

  private PrintLog() {}

  public static void main(String[] arguments) throws IOException {
    new LogPrinter(System.out).print(new FileDisk(Path.of(arguments[0])));
  }
}
