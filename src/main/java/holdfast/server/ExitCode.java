package holdfast.server;

/** What a node's process ends with. Monitoring may rely on the numbers; see docs/operations.md. */
public enum ExitCode {
  /** It was asked only to say something, and did. */
  OK(0),
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
  CONFIGURATION(78);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  public int number() {
    return number;
  }
}
