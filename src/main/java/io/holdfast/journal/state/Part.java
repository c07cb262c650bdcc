package io.holdfast.journal.state;

import org.jspecify.annotations.Nullable;

/**
 * One holder's part of a public record. The journal does not look inside.
 *
 * @param lease what it hangs on, and ends with; null if it stays until the record changes
 */
public record Part(Bytes content, @Nullable LeaseRef lease) {

  /** A part that hangs on no lease. */
  public static Part of(Bytes content) {
    return new Part(content, null);
  }
}
