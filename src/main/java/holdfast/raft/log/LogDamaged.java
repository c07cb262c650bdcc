package holdfast.raft.log;

/**
 * What was acknowledged as durable is not there any more, or belongs to someone else. The log
 * refuses to start, and nothing on the disk was changed.
 */
public final class LogDamaged extends LogFailure {

  private static final long serialVersionUID = 1L;

  private static final String CURE =
      "Keep a copy of the directory, never go back to an older one; let the node come back with an"
          + " empty one, then promote its new id and remove the old one.";

  private final String file;
  private final long offset;

  LogDamaged(String file, long offset, String wrong) {
    super("[" + file + "] at offset [" + offset + "]: " + wrong + ". " + CURE);
    this.file = file;
    this.offset = offset;
  }

  public String file() {
    return file;
  }

  public long offset() {
    return offset;
  }
}
