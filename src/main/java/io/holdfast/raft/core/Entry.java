package io.holdfast.raft.core;

import java.util.Arrays;

/**
 * One position of the log: what was proposed, and the term of the leader that put it there.
 *
 * <p>Log matching: two entries of the same term and index are equal, and so is all before them.
 *
 * <p>The payload is shared and not copied; nobody writes to it once the entry exists.
 */
public final class Entry {

  /** The cost of an entry besides its payload, in bytes, where entries are counted in bytes. */
  public static final int OVERHEAD_BYTES = 24;

  private final long term;
  private final long index;
  private final EntryKind kind;
  private final byte[] payload;

  public Entry(long term, long index, EntryKind kind, byte[] payload) {
    if (term <= 0 || index <= 0) {
      throw new IllegalArgumentException("entry [" + term + "/" + index + "] has no position");
    }
    this.term = term;
    this.index = index;
    this.kind = kind;
    this.payload = payload;
  }

  public long term() {
    return term;
  }

  public long index() {
    return index;
  }

  public EntryKind kind() {
    return kind;
  }

  /** The bytes themselves, not a copy. */
  public byte[] payload() {
    return payload;
  }

  /** The size that counts against limits in bytes. */
  public int sizeBytes() {
    return payload.length + OVERHEAD_BYTES;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Entry that
        && term == that.term
        && index == that.index
        && kind == that.kind
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(term * 31 + index) * 31 + Arrays.hashCode(payload);
  }

  @Override
  public String toString() {
    return term + "/" + index + " " + kind;
  }
}
