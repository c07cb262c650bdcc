package io.holdfast.journal.state;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a shard's current epoch has had: the number of its last append, and the last verdicts.
 *
 * <p>It is kept for the shard and not for each id, so that it outlives an id that is forgotten.
 */
final class VerdictRecord {

  /** Some of the verdicts: who records after a freeze copies so many, and not all. */
  private static final class Chunk {

    static final int SIZE = 32;
    static final Chunk EMPTY = new Chunk(new @Nullable Verdict[SIZE]);

    final @Nullable Verdict[] verdicts;

    private Chunk(@Nullable Verdict[] verdicts) {
      this.verdicts = verdicts;
    }

    Chunk copied() {
      return new Chunk(verdicts.clone());
    }
  }

  /** The record as it was, for readers. */
  static final class Frozen {

    private final long epoch;
    private final long last;
    private final int size;
    private final Chunk[] chunks; // each verdict at its number modulo the size

    private Frozen(long epoch, long last, int size, Chunk[] chunks) {
      this.epoch = epoch;
      this.last = last;
      this.size = size;
      this.chunks = chunks;
    }

    long epoch() {
      return epoch;
    }

    long last() {
      return last;
    }

    /** The oldest number whose verdict is kept. */
    long oldest() {
      return Math.max(1, last - size + 1);
    }

    Verdict of(long number) {
      if (number < oldest()) {
        return new Verdict.Forgotten(number);
      }
      int place = (int) (number % size);
      Verdict verdict = chunks[place / Chunk.SIZE].verdicts[place % Chunk.SIZE];
      return verdict == null ? new Verdict.Forgotten(number) : verdict;
    }
  }

  private final int size;
  private long epoch;
  private long last;
  private Chunk[] chunks = {};
  private boolean shared;

  /** The chunk that nobody else reads, or -1. */
  private int own = -1;

  VerdictRecord(int size) {
    this.size = size;
  }

  /** What to say without looking further, if the turn is not the next one. */
  Optional<Verdict> known(AppendId appendId, long fence) {
    if (appendId.epoch() != fence || appendId.epoch() < epoch) {
      return Optional.of(new Verdict.Fenced(fence));
    }
    long had = appendId.epoch() == epoch ? last : 0;
    if (appendId.number() > had + 1) {
      return Optional.of(new Verdict.Gap(had + 1));
    } else if (appendId.number() == had + 1) {
      return Optional.empty();
    }
    return Optional.of(new Frozen(epoch, last, size, chunks).of(appendId.number()));
  }

  /** Keeps the verdict on the next turn. */
  void record(AppendId appendId, Verdict verdict) {
    if (appendId.epoch() != epoch || chunks.length == 0) {
      epoch = appendId.epoch();
      chunks = new Chunk[(size + Chunk.SIZE - 1) / Chunk.SIZE];
      Arrays.fill(chunks, Chunk.EMPTY);
      own = -1;
      shared = false;
    } else if (shared) {
      chunks = chunks.clone();
      own = -1;
      shared = false;
    }
    last = appendId.number();
    int place = (int) (last % size);
    if (own != place / Chunk.SIZE) {
      own = place / Chunk.SIZE;
      chunks[own] = chunks[own].copied();
    }
    chunks[own].verdicts[place % Chunk.SIZE] = verdict;
  }

  /** The record as it is now; it no longer changes. */
  Frozen freeze() {
    shared = true;
    return new Frozen(epoch, last, size, chunks);
  }
}
