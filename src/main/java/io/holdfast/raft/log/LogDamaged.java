package io.holdfast.raft.log;

/**
 * Thrown if data that was acknowledged as durable is missing or damaged, or belongs to another
 * member. The log refuses to start, and nothing on the disk was changed.
 */
public final class LogDamaged extends LogFailure {

  private static final long serialVersionUID = 1L;

  private static final String CURE =
      "Keep a copy of the directory; then empty it and let the node join as a new member. Never put"
          + " an older copy in its place: the member would vote again where it voted already.";

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
