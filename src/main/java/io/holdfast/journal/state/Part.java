package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import io.holdfast.id.LeaseLife;
import org.jspecify.annotations.Nullable;

/**
 * One holder's part of a public record. The journal does not look inside.
 *
 * @param lease to which it is attached, and with which it ends; null if it stays until the record
 *     changes
 */
public record Part(Bytes content, @Nullable LeaseLife lease) {

  /** A part that is attached to no lease. */
  public static Part of(Bytes content) {
    return new Part(content, null);
  }
}
