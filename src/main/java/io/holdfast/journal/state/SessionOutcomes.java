package io.holdfast.journal.state;

import io.holdfast.bytes.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * The outcomes of a session's requests in one shard, as bytes: the lowest number that may still be
 * answered, since lower ones were answered or given up; a count; and the outcomes in the order of
 * their numbers, each a number, a length and the bytes.
 *
 * <p>There may be a hundred, and every request of the session looks one up and adds one: so they
 * are searched and copied as bytes, and not decoded.
 */
final class SessionOutcomes {

  private static final int HEAD = Long.BYTES + Integer.BYTES;
  private static final int KEPT = Long.BYTES + Integer.BYTES;

  static final SessionOutcomes NEW = new SessionOutcomes(new byte[HEAD]);

  private final ByteBuffer bytes;

  private SessionOutcomes(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  static SessionOutcomes decode(byte[] bytes) {
    return new SessionOutcomes(bytes);
  }

  byte[] encode() {
    return bytes.array();
  }

  long floor() {
    return bytes.getLong(0);
  }

  /**
   * True if the request of this number was answered or given up, and its outcome is no longer
   * known.
   */
  boolean isForgotten(long number) {
    return number < floor() && outcome(number).isEmpty();
  }

  Optional<Bytes> outcome(long number) {
    int at = place(number);
    return at < end() && number(at) == number
        ? Optional.of(Bytes.of(Arrays.copyOfRange(bytes.array(), at + KEPT, next(at))))
        : Optional.empty();
  }

  /**
   * The outcomes with one more, whose request has none yet.
   *
   * @param lowestOpen the lowest number for which the client still waits
   * @param most the most outcomes to keep; if there are more, the first is dropped
   */
  SessionOutcomes answered(long number, Bytes outcome, long lowestOpen, int most) {
    int place = place(number);
    int from = HEAD;
    int count = count() + 1;
    boolean isKept = true;
    long floor = Math.max(floor(), lowestOpen);
    while (count > 0) {
      boolean isNew = isKept && from == place;
      long first = isNew ? number : number(from);
      if (count <= most && first >= floor) {
        break;
      }
      floor = Math.max(floor, first + 1);
      count--;
      isKept &= !isNew;
      from = isNew ? from : next(from);
    }
    int before = Math.max(0, place - from);
    int after = from + before;
    int size = HEAD + (end() - from) + (isKept ? KEPT + outcome.size() : 0);
    ByteBuffer changed =
        ByteBuffer.allocate(size).putLong(floor).putInt(count).put(bytes.array(), from, before);
    if (isKept) {
      changed.putLong(number).putInt(outcome.size()).put(outcome.array());
    }
    return new SessionOutcomes(changed.put(bytes.array(), after, end() - after).array());
  }

  private int count() {
    return bytes.getInt(Long.BYTES);
  }

  /** The start of the first outcome whose number is not less than this one. */
  private int place(long number) {
    int at = HEAD;
    while (at < end() && number(at) < number) {
      at = next(at);
    }
    return at;
  }

  private long number(int at) {
    return bytes.getLong(at);
  }

  private int next(int at) {
    return at + KEPT + bytes.getInt(at + Long.BYTES);
  }

  private int end() {
    return bytes.capacity();
  }
}
