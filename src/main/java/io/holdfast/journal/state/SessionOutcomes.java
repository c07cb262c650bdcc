package io.holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * What one shard keeps of a session's requests, as bytes: the lowest number that may still be
 * answered, since a lower one was answered or is not waited for; a count; and the outcomes in the
 * order of their numbers, each a number, a length, and so many bytes.
 *
 * <p>There may be a hundred of them, and every request of the session looks for one and adds one:
 * so they are read and moved where they stand, and not taken apart.
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

  /** Whether the request of this number was answered, or given up, and is not known any more. */
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
   * With the outcome of one more request, which was not there.
   *
   * @param lowestOpen the lowest number that is still waited for
   * @param most how many are kept; of more the first goes
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

  /** Where the first outcome begins whose number is not less than this. */
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
