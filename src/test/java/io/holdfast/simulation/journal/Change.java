package io.holdfast.simulation.journal;

import io.holdfast.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One event of a lock, and what the actor knew that made it.
 *
 * @param id no other change has it
 * @param under the ownership that the actor was made under
 * @param madeAtUs the time when it was made, in true time
 */
public record Change(
    long id,
    String key,
    Kind kind,
    int client,
    long token,
    int ttlMs,
    Ownership under,
    long madeAtUs) {

  /** The kind of a change. */
  enum Kind {
    GRANTED,
    RELEASED,
    EXPIRED
  }

  /** Changes that are written together. */
  static Bytes event(List<Change> together) {
    ByteBuffer out = ByteBuffer.allocate(Long.BYTES * together.size());
    together.forEach(change -> out.putLong(change.id));
    return Bytes.of(out.array());
  }

  static List<Long> idsOf(Bytes event) {
    List<Long> ids = new ArrayList<>();
    for (ByteBuffer in = ByteBuffer.wrap(event.array()); in.hasRemaining(); ) {
      ids.add(in.getLong());
    }
    return ids;
  }
}
