package io.holdfast.server;

/**
 * The exit codes of a node's process. Monitoring may rely on the numbers; see docs/operations.md.
 */
public enum NodeExitCode {
  /** It was asked only to say something, and did. */
  OK(0),
  /** The heap is used up; the JVM's own, with its option ExitOnOutOfMemoryError. */
  OUT_OF_MEMORY(3),
  /** The arguments make no sense. */
  USAGE(64),
  /** An address to listen at cannot be had. */
  ADDRESS(69),
  /** A fault of the program. */
  INTERNAL(70),
  /** The data directory cannot be used. */
  DATA_DIRECTORY(73),
  /** The disk failed while the node ran. */
  DISK(74),
  /** The node is no member of its cluster any more. */
  CLUSTER(75),
  /** The configuration is wrong. */
  CONFIGURATION(78),
  /** Shutdown did not finish in time. */
  STUCK(79),
  /** An error that a JVM does not survive; Akka's own, after a stop in good order. */
  FATAL(255);

  private final int number;

  NodeExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
