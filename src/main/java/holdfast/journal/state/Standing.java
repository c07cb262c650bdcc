package holdfast.journal.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What one shard keeps of a session's requests.
 *
 * @param floor the lowest number that may still be answered: a lower one was answered, or is not
 *     waited for
 * @param outcomes by number
 */
record Standing(long floor, List<Kept> outcomes) {

  static final Standing NEW = new Standing(0, List.of());

  private static final int HEAD = Long.BYTES + Integer.BYTES;
  private static final int KEPT = Long.BYTES + Integer.BYTES;

  /** One outcome. */
  record Kept(long number, Bytes outcome) {}

  Optional<Bytes> outcome(long number) {
    for (Kept kept : outcomes) {
      if (kept.number() == number) {
        return Optional.of(kept.outcome());
      }
    }
    return Optional.empty();
  }

  /** The outcomes with one more, at its place. */
  List<Kept> with(Kept kept) {
    List<Kept> more = new ArrayList<>(outcomes);
    int at = more.size();
    while (at > 0 && more.get(at - 1).number() > kept.number()) {
      at--;
    }
    more.add(at, kept);
    return more;
  }

  byte[] encode() {
    int size = HEAD;
    for (Kept kept : outcomes) {
      size += KEPT + kept.outcome().size();
    }
    ByteBuffer out = ByteBuffer.allocate(size).putLong(floor).putInt(outcomes.size());
    for (Kept kept : outcomes) {
      out.putLong(kept.number()).putInt(kept.outcome().size()).put(kept.outcome().array());
    }
    return out.array();
  }

  static Standing decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long floor = in.getLong();
    int count = in.getInt();
    List<Kept> outcomes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long number = in.getLong();
      byte[] outcome = new byte[in.getInt()];
      in.get(outcome);
      outcomes.add(new Kept(number, Bytes.of(outcome)));
    }
    return new Standing(floor, outcomes);
  }
}
