package holdfast.simulation.journal;

import holdfast.journal.state.Bytes;
import java.nio.ByteBuffer;

/**
 * One event of a lock, and what the actor knew that made it.
 *
 * @param id no other change has it
 * @param under the ownership that the actor was made under
 * @param madeAtUs when it was made, in true time
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

  Bytes event() {
    return Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(id).array());
  }

  static long idOf(Bytes event) {
    return ByteBuffer.wrap(event.array()).getLong();
  }
}
