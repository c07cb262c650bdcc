package holdfast.journal.state;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a shard's current epoch has had: the number of its last append, and the last verdicts.
 *
 * <p>It is kept for the shard and not for each id, so that it outlives an id that is forgotten.
 */
final class VerdictRecord {

  /** The record as it was, for readers. */
  static final class Frozen {

    private final long epoch;
    private final long last;
    private final @Nullable Verdict[] verdicts; // each at its number modulo their count

    private Frozen(long epoch, long last, @Nullable Verdict[] verdicts) {
      this.epoch = epoch;
      this.last = last;
      this.verdicts = verdicts;
    }

    long epoch() {
      return epoch;
    }

    long last() {
      return last;
    }

    /** The oldest number whose verdict is kept. */
    long oldest() {
      return Math.max(1, last - verdicts.length + 1);
    }

    Verdict of(long number) {
      Verdict verdict = number < oldest() ? null : verdicts[(int) (number % verdicts.length)];
      return verdict == null ? new Verdict.Forgotten(number) : verdict;
    }
  }

  private final int size;
  private long epoch;
  private long last;
  private @Nullable Verdict[] verdicts = new @Nullable Verdict[0];
  private boolean shared;

  VerdictRecord(int size) {
    this.size = size;
  }

  /** What to say without looking further, if the turn is not the next one. */
  Optional<Verdict> known(Turn turn, long fence) {
    if (turn.epoch() != fence || turn.epoch() < epoch) {
      return Optional.of(new Verdict.Fenced(fence));
    }
    long had = turn.epoch() == epoch ? last : 0;
    if (turn.number() > had + 1) {
      return Optional.of(new Verdict.Gap(had + 1));
    } else if (turn.number() == had + 1) {
      return Optional.empty();
    }
    return Optional.of(new Frozen(epoch, last, verdicts).of(turn.number()));
  }

  /** Keeps the verdict on the next turn. */
  void record(Turn turn, Verdict verdict) {
    if (turn.epoch() != epoch || verdicts.length == 0) {
      epoch = turn.epoch();
      verdicts = new @Nullable Verdict[size];
      shared = false;
    } else if (shared) {
      verdicts = verdicts.clone();
      shared = false;
    }
    last = turn.number();
    verdicts[(int) (last % size)] = verdict;
  }

  /** The record as it is now; it no longer changes. */
  Frozen freeze() {
    shared = true;
    return new Frozen(epoch, last, verdicts);
  }
}
