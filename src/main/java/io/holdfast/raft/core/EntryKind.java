package io.holdfast.raft.core;

/** The meaning of an {@link Entry}'s payload. The codes are written to disk and never reused. */
public enum EntryKind {
  /** Nothing: the first entry of every term, by which its leader commits what came before. */
  NOOP(1),
  /** A {@link Formation}: entry 1 of every log. */
  FORMATION(2),
  /** A {@link Configuration}, in force from the moment it stands in a log. */
  CONFIGURATION(3),
  /** A proposal of the application, opaque here. */
  PROPOSAL(4);

  private final int code;

  EntryKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** The kind with this code. */
  public static EntryKind ofCode(int code) {
    return switch (code) {
      case 1 -> NOOP;
      case 2 -> FORMATION;
      case 3 -> CONFIGURATION;
      case 4 -> PROPOSAL;
      default -> throw new IllegalArgumentException("entry kind [" + code + "] is unknown");
    };
  }
}
